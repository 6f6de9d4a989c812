import type { RequestRecord } from '../requestRecord.ts';
import { measureRequest } from './measure.ts';
import { listRecordMetrics } from './recordMetrics.ts';

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

/** Computes the metrics of one request. The only metric of a failed request is its input length, if known. */
export function computeRequestMetrics(record: RequestRecord): RequestMetrics {
  if (record.failure) {
    const length = record.tokens.input ?? record.counted.input;
    return length === undefined ? {} : { [ERROR_ISL.tag]: { value: length, unit: ERROR_ISL.unit } };
  }
  const measurements = measureRequest(record);
  const metrics: Record<string, MeasuredValue> = {};
  for (const { tag, unit, compute } of record.streaming ? STREAMED : NOT_STREAMED) {
    const value = compute(measurements);
    if (value !== undefined) metrics[tag] = { value, unit };
  }
  return metrics;
}
