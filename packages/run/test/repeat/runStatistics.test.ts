import type { ProfileExport } from '@org/formats';
import { extractRunStatistics } from '@org/record/aggregate';
import { expect, test } from 'vitest';
import type { RunSuccess } from '../../src/repeat/runOutcome.ts';
import { listStatistics } from '../../src/repeat/runStatistics.ts';

const SUCCESSES = [
  {
    statistics: extractRunStatistics({
      effective_latency: { unit: 'ms', avg: 1 },
      requested_osl: { unit: 'tokens', avg: 8 },
      request_latency: { unit: 'ms', avg: 1, p50: 1, min: 1, sum: 2 },
    } as unknown as ProfileExport),
  } as RunSuccess,
];
const listNames = (compatibility?: 'aiperf-0.13'): string[] =>
  listStatistics(SUCCESSES, compatibility).flatMap(({ client }) => [...client.keys()]);

test('aggregates for AIPerf contain only the metrics that it exports, in its order', () => {
  expect(listNames('aiperf-0.13')).toEqual([
    ...['request_latency_avg', 'request_latency_min', 'request_latency_sum', 'request_latency_p50'],
    'effective_latency_avg',
  ]);
});

test('aggregates contain all metrics by default', () => {
  expect(listNames()).toEqual([
    ...['effective_latency_avg', 'requested_osl_avg'],
    ...['request_latency_avg', 'request_latency_p50', 'request_latency_min', 'request_latency_sum'],
  ]);
});
