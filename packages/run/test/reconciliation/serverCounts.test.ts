import type { ServerMetricsDocument } from '@org/formats';
import { builtInServers } from '@org/servers';
import { expect, test } from 'vitest';
import { createEndpointRecord } from '../../../record/test/support/runRecord.ts';
import { countRunningRequests, ServerCounts } from '../../src/reconciliation/serverCounts.ts';
import { A, B, createDocument } from './sides.ts';

const COMPLETED = {
  name: 'vllm:request_success',
  of: 'total',
  where: { label: 'finished_reason', values: ['stop'] },
} as const;

/** Creates a document with one metric. */
function createMetric(name: string, type: string, series: readonly object[]): ServerMetricsDocument {
  const metrics = { [name]: { type, description: '', series } };
  return { schema_version: '1.0', metrics } as unknown as ServerMetricsDocument;
}

function createCounts(document: ServerMetricsDocument, excluded: readonly string[] = []): ServerCounts {
  return new ServerCounts(document, builtInServers, excluded);
}

test('sums the matching series in total and by endpoint', () => {
  const counts = createCounts(createDocument({ [A]: 10, [B]: 4 }, { aborted: 3 }));
  expect(counts.sum([COMPLETED])).toBe(14);
  expect(counts.sum([{ name: 'vllm:request_success', of: 'total' }])).toBe(17);
  expect([...counts.sumByEndpoint([COMPLETED])]).toEqual([
    [A, 10],
    [B, 4],
  ]);
});

test('sums the first metric that exists, and returns undefined if none does', () => {
  const counts = createCounts(createDocument({ [A]: 10 }));
  const missing = { name: 'missing', of: 'total' } as const;
  expect(counts.sum([missing, COMPLETED])).toBe(10);
  expect(counts.sum([missing])).toBeUndefined();
  expect(counts.sum([{ name: 'constructor', of: 'total' }])).toBeUndefined();
});

test('excludes the given endpoints', () => {
  const counts = createCounts(createDocument({ [A]: 10, [B]: 4 }, { resets: 1 }), [B]);
  expect(counts.sum([COMPLETED])).toBe(10);
  expect([...counts.resets]).toEqual([[A, 1]]);
});

test('uses the increase of a counter that was reset', () => {
  const stats = { total: 3, rate: 0, resets: 1, increase: 8 };
  const counts = createCounts(createMetric('c', 'counter', [{ endpoint_url: A, stats }]));
  expect(counts.sum([{ name: 'c', of: 'total' }])).toBe(8);
});

test('computes the average of a latency over all series, and percentiles only of a single series', () => {
  const first = { endpoint_url: A, stats: { count: 2, sum: 1, p50_estimate: 0.4, p99_estimate: 0.9 } };
  const second = { endpoint_url: B, stats: { count: 2, sum: 3 } };
  const idle = { endpoint_url: B, stats: { count: 0, sum: 0 } };
  const metric = { name: 'h', unitMs: 1000 };
  expect(createCounts(createMetric('h', 'histogram', [first, idle])).findLatency([metric])).toEqual({
    name: 'h',
    avgMs: 500,
    count: 2,
    p50Ms: 400,
    p99Ms: 900,
    perToken: false,
  });
  expect(createCounts(createMetric('h', 'histogram', [first, second])).findLatency([metric])).toEqual({
    name: 'h',
    avgMs: 1000,
    count: 4,
    perToken: false,
  });
  expect(createCounts(createMetric('h', 'histogram', [idle])).findLatency([metric])).toBeUndefined();
});

test('computes a latency by dividing a time counter by a request counter', () => {
  const { metrics } = createMetric('time', 'counter', [{ endpoint_url: A, stats: { total: 500, rate: 0 } }]);
  const { metrics: requests } = createMetric('n', 'counter', [
    { endpoint_url: A, stats: { total: 4, rate: 0 } },
  ]);
  const counts = createCounts({
    metrics: { ...metrics, ...requests },
  } as unknown as ServerMetricsDocument);
  expect(counts.findLatency([{ name: 'time', unitMs: 1, by: 'n' }])).toEqual({
    name: 'time',
    avgMs: 125,
    count: 4,
    perToken: false,
  });
});

test.each<[string, Record<string, number>[], number | undefined]>([
  ['all endpoints', [{ 'vllm:num_requests_running': 2 }, { 'vllm:num_requests_running': 3 }], 5],
  ['the endpoints that report them', [{ other: 1 }, { 'vllm:num_requests_running': 3 }], 3],
  ['no endpoint', [{ other: 1 }], undefined],
  [
    'all priorities once',
    [{ 'sglang:num_running_reqs{priority=}': 5, 'sglang:num_running_reqs{priority=1}': 5 }],
    5,
  ],
])('sums the running requests of %s', (_, samples, sum) => {
  const endpoints = samples.map(values => {
    const types = Object.fromEntries(
      Object.keys(values).map(name => [name.replace(/\{.*/, ''), 'gauge' as const]),
    );
    const { layout } = createEndpointRecord(A, types, [[0, values]]).store;
    return { layout, latest: Float64Array.from(Object.values(values)) };
  });
  expect(countRunningRequests(endpoints, builtInServers)).toBe(sum);
});

test('counts all requests of a cold server, whose series are created by the first request', () => {
  const stats = { total: 146, rate: 39, created_in_run: true, increase: 148, increase_rate: 37.8 };
  const series = [{ endpoint_url: A, labels: { status: 'success' }, stats }];
  const counts = createCounts(createMetric('dynamo_frontend_requests', 'counter', series));
  expect(counts.sum([{ name: 'dynamo_frontend_requests', of: 'total' }])).toBe(148);
});

test('adds the metrics that count other parts of the same amount', () => {
  const { metrics: computed } = createMetric('computed', 'counter', [
    { endpoint_url: A, stats: { total: 90, rate: 0 } },
  ]);
  const { metrics: cached } = createMetric('cached', 'counter', [
    { endpoint_url: A, stats: { total: 10, rate: 0 } },
  ]);
  const counts = createCounts({
    metrics: { ...computed, ...cached },
  } as unknown as ServerMetricsDocument);
  expect(counts.sum([{ name: 'computed', of: 'total', plus: ['cached', 'absent'] }])).toBe(100);
});

test('counts a metric once that an endpoint reports under two names, and takes another name from other endpoints', () => {
  const createSeries = (url: string, total: number): object => ({
    endpoint_url: url,
    stats: { total, rate: 1 },
  });
  const counts = createCounts({
    schema_version: '1.0',
    metrics: {
      'vllm:generation_tokens': { type: 'counter', description: '', series: [createSeries(A, 10)] },
      'kserve_vllm:generation_tokens': {
        type: 'counter',
        description: '',
        series: [createSeries(A, 10), createSeries(B, 5)],
      },
    },
  } as unknown as ServerMetricsDocument);
  expect(counts.sum([{ name: 'vllm:generation_tokens', of: 'total' }])).toBe(15);
});

test('ignores a known metric with another type', () => {
  const counts = createCounts(
    createMetric('vllm:generation_tokens', 'gauge', [{ endpoint_url: A, stats: { avg: 100, max: 100 } }]),
  );
  expect(counts.sum([{ name: 'vllm:generation_tokens', of: 'total' }])).toBeUndefined();
  expect(counts.findLatency([{ name: 'vllm:generation_tokens', unitMs: 1 }])).toBeUndefined();
});
