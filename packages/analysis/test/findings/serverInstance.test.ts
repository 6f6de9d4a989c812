import { expect, test } from 'vitest';
import {
  computeLevel,
  computeTotal,
  findServerInstances,
  type Level,
  type ServerInstance,
} from '../../src/findings/serverInstance.ts';
import { createRunFromView } from '../../src/run/run.ts';
import {
  createCounter,
  createDocument,
  createGauge,
  createMetric,
  healthyInfo,
  URL_A,
  URL_B,
} from '../documents.ts';
import { createGauges, type Metrics } from './runs.ts';

function listInstances(metrics: Metrics): ServerInstance[] {
  return findServerInstances(
    createRunFromView(createDocument(metrics, { [URL_A]: healthyInfo, [URL_B]: healthyInfo })),
  );
}

test('finds every kind of server on every endpoint', () => {
  const instances = listInstances({
    'vllm:num_requests_running': createMetric('gauge', [createGauge(1), createGauge(2, { url: URL_B })]),
    dynamo_frontend_queued_requests: createMetric('gauge', [createGauge(3)]),
    process_open_fds: createMetric('gauge', [createGauge(4)]),
  });
  expect(instances.map(({ server, endpoint }) => [server, endpoint])).toEqual([
    ['vLLM', 'localhost:8000'],
    ['vLLM', 'down:1'],
    ['Dynamo', 'localhost:8000'],
  ]);
  expect(instances[1]!.series('running').map(({ stats }) => stats.avg)).toEqual([2]);
  expect(instances[1]!.series('waiting')).toEqual([]);
});

test.each<[string, Metrics, Parameters<typeof computeLevel>[1], Level | undefined]>([
  [
    'adds up the requests of several engines',
    {
      'vllm:num_requests_running': createMetric('gauge', [
        createGauge(1, { max: 2, slices: [1, 2], labels: { engine: '0' } }),
        createGauge(3, { max: 5, slices: [3], labels: { engine: '1' } }),
      ]),
    },
    'running',
    { avg: 4, max: 7, slices: [4, 2] },
  ],
  [
    'returns the highest usage of several engines',
    {
      'vllm:kv_cache_usage_perc': createMetric('gauge', [
        createGauge(0.5, { max: 0.6, slices: [0.5] }),
        createGauge(0.2, { max: 0.9, labels: { engine: '1' } }),
      ]),
    },
    'kvCacheUsage',
    { avg: 0.2, max: 0.9, slices: [] },
  ],
  [
    'converts percentages to fractions',
    createGauges({
      dynamo_component_gpu_cache_usage_percent: createGauge(50, { max: 80, slices: [40, 60] }),
    }),
    'kvCacheUsage',
    { avg: 0.5, max: 0.8, slices: [0.4, 0.6] },
  ],
  [
    'computes running requests from request time per second',
    {
      nv_inference_request_duration_us: createMetric('counter', [
        createCounter(60_000_000, { slices: [2_000_000] }),
      ]),
    },
    'running',
    { avg: 3, max: 3, slices: [2] },
  ],
  [
    'returns undefined without the metric',
    createGauges({ 'vllm:num_requests_waiting': createGauge(1) }),
    'running',
    undefined,
  ],
])('computes a level: %s', (_, metrics, role, expected) => {
  expect(computeLevel(listInstances(metrics)[0]!, role)).toEqual(expected);
});

test.each<[string, Metrics, number | undefined]>([
  [
    'adds up the counters of several engines',
    {
      'vllm:num_preemptions': createMetric('counter', [
        createCounter(3),
        createCounter(4, { labels: { engine: '1' } }),
      ]),
    },
    7,
  ],
  [
    'prefers the increase, which is corrected for resets',
    { 'vllm:num_preemptions': createMetric('counter', [createCounter(1, { stats: { increase: 9 } })]) },
    9,
  ],
  [
    'returns undefined without the metric',
    createGauges({ 'vllm:num_requests_waiting': createGauge(1) }),
    undefined,
  ],
])('computes a total: %s', (_, metrics, expected) => {
  expect(computeTotal(listInstances(metrics)[0]!, 'preemptions')).toBe(expected);
});
