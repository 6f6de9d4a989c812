import type { MetricDistributions } from './metricDistributions.ts';
import { createSingleValue, type SingleValue, toMetric } from './singleValue.ts';

/** Numbers of requests that count toward rates. */
export interface CountedRequests {
  readonly succeeded: number;
  /** Number of successful requests that meet the goodput limits; undefined without limits. */
  readonly good: number | undefined;
}

/** Computes the rates of requests and tokens. Returns nothing if no request succeeded or if the duration is 0. */
export function computeThroughput(
  seconds: number,
  { succeeded, good }: CountedRequests,
  distributions: MetricDistributions,
): Record<string, SingleValue> {
  if (succeeded === 0 || !(seconds > 0)) return {};
  const input = distributions.sum('input_sequence_length');
  const output = distributions.sum('output_sequence_length');
  const total = input === undefined || output === undefined ? undefined : input + output;
  const toRate = (tag: string, value: number | undefined, unit: string): Record<string, SingleValue> =>
    toMetric(tag, value === undefined ? undefined : value / seconds, unit);
  return {
    benchmark_duration: createSingleValue(seconds, 'sec'),
    ...toRate('request_throughput', succeeded, 'requests/sec'),
    ...toRate('input_token_throughput', input, 'tokens/sec'),
    ...toRate('output_token_throughput', output, 'tokens/sec'),
    ...toRate('total_token_throughput', total, 'tokens/sec'),
    ...toRate('goodput', good, 'requests/sec'),
  };
}
