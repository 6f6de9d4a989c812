import type { SweepVariation } from '@org/formats';
import { expect, test } from 'vitest';
import { readServerLoad } from '../../src/sweep/serverLoad.ts';

type ServerMetrics = NonNullable<SweepVariation['server_metrics']>;

function createMetric(
  type: 'gauge' | 'counter' | 'histogram',
  unit: string,
  ...stats: Record<string, number>[]
): ServerMetrics[string] {
  return {
    type,
    unit,
    series: stats.map((each, i) => ({
      endpoint_url: `http://server-${i}:8000/metrics`,
      labels: { model_name: 'm' },
      stats: Object.fromEntries(Object.entries(each).map(([name, mean]) => [name, { mean, unit }])),
    })),
  };
}

test('reads what the servers did by the roles of their metrics', () => {
  const load = readServerLoad({
    'vllm:num_requests_running': createMetric('gauge', 'requests', { avg: 5 }, { avg: 3 }),
    'vllm:num_requests_waiting': createMetric('gauge', 'requests', { avg: 1.5 }, { avg: 0 }),
    'vllm:kv_cache_usage_perc': createMetric('gauge', 'ratio', { max: 0.4 }, { max: 0.9 }),
    'vllm:num_preemptions': createMetric('counter', 'preemptions', { rate: 0.5 }, { rate: 0.25 }),
    'vllm:prefix_cache_hits': createMetric('counter', 'tokens', { total: 30 }, { total: 0 }),
    'vllm:prefix_cache_queries': createMetric('counter', 'tokens', { total: 50 }, { total: 50 }),
    'vllm:request_queue_time_seconds': createMetric('histogram', 'seconds', { sum: 2, count: 10 }),
    'vllm:time_to_first_token_seconds': createMetric('histogram', 'seconds', { sum: 8, count: 10 }),
  });
  expect(load).toEqual({
    running: 8,
    waiting: 1.5,
    kvCachePercent: 90,
    preemptions: 0.75,
    prefixHitPercent: 30,
    queuePercent: 25,
  });
});

test('leaves out what no server reports', () => {
  expect(
    readServerLoad({ 'vllm:num_requests_running': createMetric('gauge', 'requests', { avg: 5 }) }),
  ).toEqual({
    running: 5,
  });
  expect(readServerLoad({ other: createMetric('gauge', '', { avg: 5 }) })).toEqual({});
  expect(readServerLoad({})).toEqual({});
});

test('does not divide times of different units', () => {
  const load = readServerLoad({
    'vllm:request_queue_time_seconds': createMetric('histogram', 'milliseconds', { sum: 2, count: 10 }),
    'vllm:time_to_first_token_seconds': createMetric('histogram', 'seconds', { sum: 8, count: 10 }),
  });
  expect(load).toEqual({});
});
