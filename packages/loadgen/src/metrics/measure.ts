import type { RequestRecord } from '../requestRecord.ts';

/** A metric with a value for each successful request; see docs/profile.md. */
export interface RecordMetric {
  readonly tag: string;
  readonly unit: string;
  /** Returns the metric's value for a request: a list if it has several values, undefined if it does not apply. */
  readonly compute: (measurements: Measurements) => number | readonly number[] | undefined;
  /** Set if higher values are better, so that a goodput limit is a minimum. */
  readonly moreIsBetter?: true;
}

/** Durations, in ms, and token counts of one request that several metrics share; undefined if they do not apply. */
export interface Measurements {
  readonly record: RequestRecord;
  readonly latencyMs: number | undefined;
  readonly firstTokenMs: number | undefined;
  /** Mean time between tokens, for streams of at least two tokens. */
  readonly interTokenMs: number | undefined;
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
  /** Defined only if the response contained reasoning or the server reported a reasoning count. */
  readonly reasoningTokens: number | undefined;
  /** Number of output and reasoning tokens. */
  readonly outputLength: number | undefined;
}

/** Computes the durations and token counts of a request. */
export function measureRequest(record: RequestRecord): Measurements {
  const { tokens, startNs, lastTokenNs, firstTokenNs, streaming, endpoint, usage } = record;
  const hasOutput = endpoint !== 'embeddings';
  const outputTokens = hasOutput ? tokens.output : undefined;
  const reasoning = hasOutput ? (tokens.reasoning ?? 0) : 0;
  const latencyMs = measureMs(startNs, lastTokenNs);
  const firstTokenMs = streaming ? measureMs(startNs, firstTokenNs) : undefined;
  const outputLength = outputTokens === undefined ? undefined : outputTokens + reasoning;
  const hasGaps = firstTokenMs !== undefined && latencyMs !== undefined && (outputLength ?? 0) >= 2;
  return {
    record,
    latencyMs,
    firstTokenMs,
    interTokenMs: hasGaps ? (latencyMs - firstTokenMs) / (outputLength! - 1) : undefined,
    inputTokens: tokens.input,
    outputTokens,
    reasoningTokens: reasoning > 0 || usage?.reasoningTokens !== undefined ? reasoning : undefined,
    outputLength,
  };
}

/** Returns the duration between two times, in ms; undefined if either is undefined. */
export function measureMs(fromNs: number | undefined, toNs: number | undefined): number | undefined {
  return fromNs === undefined || toNs === undefined ? undefined : (toNs - fromNs) / 1e6;
}

/** Divides two numbers; undefined if either is undefined, or if the divisor is not positive. */
export function divide(value: number | undefined, divisor: number | undefined): number | undefined {
  return value === undefined || divisor === undefined || !(divisor > 0) ? undefined : value / divisor;
}
