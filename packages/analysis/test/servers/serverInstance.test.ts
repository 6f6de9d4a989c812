import { expect, test } from 'vitest';
import { createRunFromView } from '../../src/run/run.ts';
import { computeTotal, findServerInstances, type ServerInstance } from '../../src/servers/serverInstance.ts';
import {
  createCounter,
  createDocument,
  createGauge,
  createMetric,
  healthyInfo,
  URL_A,
  URL_B,
} from '../documents.ts';
import { createGauges, type Metrics } from '../findings/runs.ts';

function listInstances(metrics: Metrics): readonly ServerInstance[] {
  return findServerInstances(
    createRunFromView(createDocument(metrics, { [URL_A]: healthyInfo, [URL_B]: healthyInfo })),
  );
}

test('finds every kind of server on every endpoint', () => {
  const instances = listInstances({
    'vllm:num_requests_running': createMetric('gauge', [createGauge(1), createGauge(2, { url: URL_B })]),
    dynamo_request_queue: createMetric('gauge', [createGauge(3)]),
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
    {
      'vllm:num_preemptions': createMetric('counter', [
        createCounter(1, { stats: { increase: 9, resets: 1 } }),
      ]),
    },
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

test('of metrics with the same meaning, each endpoint uses the first that it has', () => {
  const [first, second] = listInstances({
    'vllm:gpu_cache_usage_perc': createMetric('gauge', [createGauge(0.5), createGauge(0.25, { url: URL_B })]),
    'vllm:kv_cache_usage_perc': createMetric('gauge', [createGauge(0.5)]),
  });
  expect(first!.series('kvCacheUsage').map(({ name }) => name)).toEqual(['vllm:kv_cache_usage_perc']);
  expect(second!.series('kvCacheUsage').map(({ name }) => name)).toEqual(['vllm:gpu_cache_usage_perc']);
});

test('adds metrics of different requests', () => {
  const [dynamo] = listInstances({
    dynamo_request_queue: createMetric('gauge', [createGauge(3)]),
    dynamo_frontend_router_queue_pending_requests: createMetric('gauge', [createGauge(4)]),
  });
  expect(dynamo!.series('waiting').map(({ stats }) => stats.avg)).toEqual([4, 3]);
});
