import { generatesText } from '../endpoint/endpoints.ts';
import type { RequestRecord, TokenCounts, TokenSource } from '../requestRecord.ts';
import { selectTokenCounts } from './tokenCounts.ts';

interface MetricDescription {
  readonly tag: string;
  readonly unit: string;
  /** Set if higher values are better, so that a goodput limit is a minimum. */
  readonly moreIsBetter?: true;
}

/** The value of a metric: a list if a request has several values, undefined if the metric does not apply. */
type MetricResult = number | readonly number[] | undefined;

/** A metric that depends on the source of the token counts. */
export interface TokenMetric extends MetricDescription {
  readonly usesTokens: true;
  readonly compute: (measurements: TokenMeasurements) => MetricResult;
}

/** A metric with a value for each successful request; see docs/profile.md. */
export type RecordMetric =
  | TokenMetric
  | (MetricDescription & {
      readonly usesTokens?: undefined;
      readonly compute: (measurements: Measurements) => MetricResult;
    });

/** Durations of one request, in ms, and other measurements that do not depend on the source of token counts. */
export interface RequestDurations {
  readonly latencyMs: number | undefined;
  /** Undefined for responses that are not streamed. */
  readonly firstTokenMs: number | undefined;
  /** Number of tokens in the first chunk, if the server reported it. */
  readonly firstChunkTokens?: number | undefined;
  /** Requested maximum response length, in tokens. */
  readonly requestedOutput: number | undefined;
  /** True if the server reported a number of reasoning tokens, even 0. */
  readonly hasReasoningCount: boolean;
  /** False for APIs whose responses have no text, such as embeddings. */
  readonly generatesText: boolean;
}

/** Durations and token counts of one request that several metrics share; undefined if they do not apply. */
export interface TokenMeasurements extends RequestDurations {
  /** Mean time between tokens, for streams of at least two tokens. */
  readonly interTokenMs: number | undefined;
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
  /** Defined only if the response contained reasoning or the server reported a reasoning count. */
  readonly reasoningTokens: number | undefined;
  /** Number of output and reasoning tokens. */
  readonly outputLength: number | undefined;
}

/** All measurements of one request. */
export interface Measurements extends TokenMeasurements {
  readonly record: RequestRecord;
}

/** Computes the durations and token counts of a request. */
export function measureRequest(record: RequestRecord, source: TokenSource = 'client'): Measurements {
  const { startNs, lastTokenNs, firstTokenNs, streaming, usage, requestedOutput } = record;
  const durations = {
    latencyMs: measureMs(startNs, lastTokenNs),
    firstTokenMs: streaming ? measureMs(startNs, firstTokenNs) : undefined,
    ...(source === 'server' ? { firstChunkTokens: record.firstChunkTokens } : {}),
    requestedOutput,
    hasReasoningCount: usage?.reasoningTokens !== undefined,
    generatesText: generatesText(record.endpoint),
  };
  return { record, ...measureTokens(durations, selectTokenCounts(record, source)) };
}

/** Combines the durations of a request with token counts. */
export function measureTokens(durations: RequestDurations, counts: TokenCounts): TokenMeasurements {
  const { latencyMs, firstTokenMs, hasReasoningCount } = durations;
  const { input, output } = counts;
  const reasoning = counts.reasoning ?? 0;
  const outputLength = output === undefined ? undefined : output + reasoning;
  const hasGaps = firstTokenMs !== undefined && latencyMs !== undefined && (outputLength ?? 0) >= 2;
  return {
    ...durations,
    interTokenMs: hasGaps
      ? (latencyMs - firstTokenMs) / countLaterTokens(outputLength!, durations)
      : undefined,
    inputTokens: input,
    outputTokens: output,
    reasoningTokens: output !== undefined && (reasoning > 0 || hasReasoningCount) ? reasoning : undefined,
    outputLength,
  };
}

/** Returns the number of tokens after the first chunk, which has one token unless the server reported more. */
function countLaterTokens(outputLength: number, { firstChunkTokens = 1 }: RequestDurations): number {
  const isPlausible = firstChunkTokens > 0 && firstChunkTokens < outputLength;
  return outputLength - (isPlausible ? firstChunkTokens : 1);
}

/** Returns the duration between two times, in ms; undefined if either is undefined. */
export function measureMs(fromNs: number | undefined, toNs: number | undefined): number | undefined {
  return fromNs === undefined || toNs === undefined ? undefined : (toNs - fromNs) / 1e6;
}

/** Divides two numbers; undefined if either is undefined, or if the divisor is not positive. */
export function divide(value: number | undefined, divisor: number | undefined): number | undefined {
  return value === undefined || divisor === undefined || !(divisor > 0) ? undefined : value / divisor;
}
