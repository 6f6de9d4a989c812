import { expect, test } from 'vitest';
import {
  computeLevel,
  computeTotal,
  findServerInstances,
  type Level,
  type ServerInstance,
} from '../../src/findings/serverInstance.ts';
import { createRunFromView } from '../../src/run/run.ts';
import { counter, document, gauge, healthyInfo, metric, URL_A, URL_B } from '../documents.ts';
import { createGauges, type Metrics } from './runs.ts';

function listInstances(metrics: Metrics): ServerInstance[] {
  return findServerInstances(
    createRunFromView(document(metrics, { [URL_A]: healthyInfo, [URL_B]: healthyInfo })),
  );
}

test('finds every kind of server on every endpoint', () => {
  const instances = listInstances({
    'vllm:num_requests_running': metric('gauge', [gauge(1), gauge(2, { url: URL_B })]),
    dynamo_frontend_queued_requests: metric('gauge', [gauge(3)]),
    process_open_fds: metric('gauge', [gauge(4)]),
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
    'adds the requests of several engines',
    {
      'vllm:num_requests_running': metric('gauge', [
        gauge(1, { max: 2, slices: [1, 2], labels: { engine: '0' } }),
        gauge(3, { max: 5, slices: [3], labels: { engine: '1' } }),
      ]),
    },
    'running',
    { avg: 4, max: 7, slices: [4, 2] },
  ],
  [
    'returns the highest usage of several engines',
    {
      'vllm:kv_cache_usage_perc': metric('gauge', [
        gauge(0.5, { max: 0.6, slices: [0.5] }),
        gauge(0.2, { max: 0.9, labels: { engine: '1' } }),
      ]),
    },
    'kvCacheUsage',
    { avg: 0.2, max: 0.9, slices: [] },
  ],
  [
    'converts percentages to fractions',
    createGauges({ dynamo_component_gpu_cache_usage_percent: gauge(50, { max: 80, slices: [40, 60] }) }),
    'kvCacheUsage',
    { avg: 0.5, max: 0.8, slices: [0.4, 0.6] },
  ],
  [
    'computes running requests from request time per second',
    { nv_inference_request_duration_us: metric('counter', [counter(60_000_000, { slices: [2_000_000] })]) },
    'running',
    { avg: 3, max: 3, slices: [2] },
  ],
  [
    'returns nothing without the metric',
    createGauges({ 'vllm:num_requests_waiting': gauge(1) }),
    'running',
    undefined,
  ],
])('computes a level: %s', (_, metrics, role, expected) => {
  expect(computeLevel(listInstances(metrics)[0]!, role)).toEqual(expected);
});

test.each<[string, Metrics, number | undefined]>([
  [
    'adds the counters of several engines',
    { 'vllm:num_preemptions': metric('counter', [counter(3), counter(4, { labels: { engine: '1' } })]) },
    7,
  ],
  [
    'prefers the increase, which is corrected for resets',
    { 'vllm:num_preemptions': metric('counter', [counter(1, { stats: { increase: 9 } })]) },
    9,
  ],
  ['returns nothing without the metric', createGauges({ 'vllm:num_requests_waiting': gauge(1) }), undefined],
])('computes a total: %s', (_, metrics, expected) => {
  expect(computeTotal(listInstances(metrics)[0]!, 'preemptions')).toBe(expected);
});
