import { expect, test } from 'vitest';
import { extractRunStatistics } from '../../src/aggregate/runStatistics.ts';
import { createExport, createServerMetrics } from '../support/profileExports.ts';

test('extracts the client statistics by metric and statistic', () => {
  const { client, servers } = extractRunStatistics(createExport([100, 200], 4));
  expect([...client.keys()].sort()).toEqual([
    'request_count_avg',
    'request_latency_avg',
    'request_latency_count',
    'request_latency_p99',
    'request_latency_sum',
    'request_throughput_avg',
  ]);
  expect(client.get('request_latency_avg')).toEqual({
    value: 150,
    unit: 'ms',
    tag: 'request_latency',
    stat: 'avg',
  });
  expect(client.get('request_latency_count')).toEqual({
    value: 2,
    unit: 'count',
    tag: 'request_latency',
    stat: 'count',
  });
  expect(servers).toEqual([]);
});

test('excludes timestamps, accuracies of estimates and values that are not finite', () => {
  const { client } = extractRunStatistics(
    createExport([1], 1, {
      time_to_first_token: { unit: 'ms', avg: Number.NaN, p50: 3, percentile_rank_error: 0.01 },
    }),
  );
  expect(client.has('min_request_timestamp_avg')).toBe(false);
  expect([...client.keys()].filter(name => name.startsWith('time_to'))).toEqual(['time_to_first_token_p50']);
});

test('extracts the statistics of each server series with their units', () => {
  const [running, served] = extractRunStatistics(createExport([1], 1), createServerMetrics(3, 40)).servers;
  expect(running).toMatchObject({
    metric: 'running',
    type: 'gauge',
    unit: undefined,
    labels: { model: 'm' },
  });
  expect(running!.stats.get('avg')).toEqual({ value: 3, unit: '' });
  expect([...served!.stats]).toEqual([
    ['total', { value: 40, unit: 'requests' }],
    ['rate', { value: 20, unit: 'requests/s' }],
  ]);
});
