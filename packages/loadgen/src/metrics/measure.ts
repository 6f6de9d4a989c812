import type { RequestRecord } from '../requestRecord.ts';

/** Lengths and times of one request that several metrics are made of; undefined for what does not apply. ms and tokens. */
export interface Measure {
  readonly record: RequestRecord;
  readonly latencyMs: number | undefined;
  readonly firstTokenMs: number | undefined;
  /** Of a stream with two tokens or more. */
  readonly interTokenMs: number | undefined;
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
  /** Only where the answer had reasoning, or the server reported on it. */
  readonly reasoningTokens: number | undefined;
  /** Output and reasoning. */
  readonly outputLength: number | undefined;
}

/** Reads what metrics need off a record. */
export function measureOf(record: RequestRecord): Measure {
  const { tokens, startNs, lastTokenNs, firstTokenNs, streaming, endpoint, usage } = record;
  const answers = endpoint !== 'embeddings';
  const outputTokens = answers ? tokens.output : undefined;
  const reasoning = answers ? (tokens.reasoning ?? 0) : 0;
  const latencyMs = msBetween(startNs, lastTokenNs);
  const firstTokenMs = streaming ? msBetween(startNs, firstTokenNs) : undefined;
  const outputLength = outputTokens === undefined ? undefined : outputTokens + reasoning;
  const isTimed = firstTokenMs !== undefined && latencyMs !== undefined && (outputLength ?? 0) >= 2;
  return {
    record,
    latencyMs,
    firstTokenMs,
    interTokenMs: isTimed ? (latencyMs - firstTokenMs) / (outputLength! - 1) : undefined,
    inputTokens: tokens.input,
    outputTokens,
    reasoningTokens: reasoning > 0 || usage?.reasoningTokens !== undefined ? reasoning : undefined,
    outputLength,
  };
}

/** Undefined when one of the times is. */
export function msBetween(fromNs: number | undefined, toNs: number | undefined): number | undefined {
  return fromNs === undefined || toNs === undefined ? undefined : (toNs - fromNs) / 1e6;
}

/** Undefined without a divisor that is more than 0. */
export function ratio(value: number | undefined, by: number | undefined): number | undefined {
  return value === undefined || by === undefined || !(by > 0) ? undefined : value / by;
}
