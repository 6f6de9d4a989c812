import type { RequestRecord, TokenCounts, TokenSource } from '../requestRecord.ts';
import { measureRequest, measureTokens, type TokenMetric } from './measure.ts';
import { listRecordMetrics } from './recordMetrics.ts';
import { selectTokenCounts } from './tokenCounts.ts';

/** A value with its unit. */
export interface MeasuredValue {
  readonly value: number | readonly number[];
  readonly unit: string;
}

/** The metrics of one request, by tag. */
export type RequestMetrics = Readonly<Record<string, MeasuredValue>>;

/** Input length of failed requests. */
export const ERROR_ISL = { tag: 'error_isl', unit: 'tokens' } as const;

const STREAMED = listRecordMetrics(true);
const NOT_STREAMED = listRecordMetrics(false);

/**
 * Computes the metrics of one request with the token counts of a source, by default the client. The only metric
 * of a failed request is its input length, if known. A cancelled request has none.
 */
export function computeRequestMetrics(record: RequestRecord, source: TokenSource = 'client'): RequestMetrics {
  if (record.cancelled) return {};
  if (record.failure) {
    const length = selectTokenCounts(record, source).input ?? record.counted.input;
    return length === undefined ? {} : { [ERROR_ISL.tag]: { value: length, unit: ERROR_ISL.unit } };
  }
  const measurements = measureRequest(record, source);
  const metrics: Record<string, MeasuredValue> = {};
  for (const { tag, unit, compute } of record.streaming ? STREAMED : NOT_STREAMED) {
    const value = compute(measurements);
    if (value !== undefined) metrics[tag] = { value, unit };
  }
  return metrics;
}

const TOKEN_METRICS = STREAMED.filter((metric): metric is TokenMetric => metric.usesTokens === true);

/**
 * Computes the metrics that depend on token counts again, with other counts. The metrics of a failed request
 * stay as they are.
 */
export function replaceTokenCounts(metrics: RequestMetrics, counts: TokenCounts): RequestMetrics {
  if (ERROR_ISL.tag in metrics) return metrics;
  const read = (tag: string): number | undefined => {
    const value = metrics[tag]?.value;
    return typeof value === 'number' ? value : undefined;
  };
  const measurements = measureTokens(
    {
      latencyMs: read('request_latency'),
      firstTokenMs: read('time_to_first_token'),
      requestedOutput: read('requested_osl'),
      hasReasoningCount: 'usage_reasoning_tokens' in metrics,
      generatesText: read('output_sequence_length') !== 0 || 'output_token_count' in metrics,
    },
    counts,
  );
  const replaced: Record<string, MeasuredValue> = { ...metrics };
  for (const { tag, unit, compute } of TOKEN_METRICS) {
    const value = compute(measurements);
    if (value === undefined) delete replaced[tag];
    else replaced[tag] = { value, unit };
  }
  return replaced;
}
