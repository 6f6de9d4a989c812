import { expect, test } from 'vitest';
import { findKeyMetrics } from '../../src/keyMetrics/keyMetrics.ts';
import { createRunFromView, type Run } from '../../src/run/run.ts';
import { listCountedSeries, recognizeServers } from '../../src/servers/metricSeries.ts';
import { computeTotal, findServerInstances } from '../../src/servers/serverInstance.ts';
import { findServingSystem } from '../../src/servers/servingSystem.ts';
import {
  createCounter,
  createDocument,
  createGauge,
  createMetric,
  healthyInfo,
  URL_A,
  URL_B,
} from '../documents.ts';
import type { Metrics } from '../findings/runs.ts';

function createRun(metrics: Metrics): Run {
  return createRunFromView(createDocument(metrics, { [URL_A]: healthyInfo, [URL_B]: healthyInfo }));
}

const RUNNING = 'vllm:num_requests_running';
const USAGE = 'vllm:kv_cache_usage_perc';
const OLD_USAGE = 'vllm:gpu_cache_usage_perc';

test.each<[string, Metrics, number[]]>([
  [
    'uses an older name where the newer one is missing',
    {
      [USAGE]: createMetric('gauge', [createGauge(0.5)]),
      [OLD_USAGE]: createMetric('gauge', [createGauge(0.5), createGauge(0.7, { url: URL_B })]),
    },
    [0.5, 0.7],
  ],
  [
    'uses a renamed metric only where the original is missing',
    {
      [USAGE]: createMetric('gauge', [createGauge(0.5)]),
      [`kserve_${USAGE}`]: createMetric('gauge', [createGauge(0.5), createGauge(0.6, { url: URL_B })]),
    },
    [0.5, 0.6],
  ],
])('%s, on each endpoint', (_, metrics, values) => {
  expect(listCountedSeries(createRun(metrics), USAGE).map(({ stats }) => stats.avg)).toEqual(values);
});

test('counts requests once that an endpoint reports under two names', () => {
  const run = createRun({
    [RUNNING]: createMetric('gauge', [createGauge(3)]),
    [`kserve_${RUNNING}`]: createMetric('gauge', [createGauge(3)]),
  });
  expect(recognizeServers(run).map(({ name }) => name)).toEqual(['vLLM']);
  expect(findServingSystem(run)!.running!.avg).toBe(3);
});

test('counts failures once that an endpoint reports under two names', () => {
  const failures = createMetric('counter', [createCounter(4, { labels: { finished_reason: 'error' } })]);
  const [instance] = findServerInstances(
    createRun({ 'vllm:request_success': failures, 'kserve_vllm:request_success': failures }),
  );
  expect(instance!.failures).toEqual([{ cause: 'error', count: 4, isCancellation: false }]);
  expect(computeTotal(instance!, 'completedRequests')).toBe(4);
});

test('lists a key metric by the name that each endpoint uses', () => {
  const [vllm] = findKeyMetrics(
    createRun({
      [USAGE]: createMetric('gauge', [createGauge(0.5)]),
      [OLD_USAGE]: createMetric('gauge', [createGauge(0.5), createGauge(0.7, { url: URL_B })]),
    }),
  );
  expect(vllm!.metrics.map(({ metric, stats }) => [metric.name, stats.avg])).toEqual([
    [USAGE, 0.5],
    [OLD_USAGE, 0.7],
  ]);
});

test('GPUs have key metrics, but are no servers of requests', () => {
  const run = createRun({
    DCGM_FI_DEV_GPU_UTIL: createMetric('gauge', [createGauge(93, { labels: { gpu: '0' } })]),
  });
  expect(findKeyMetrics(run).map(({ server }) => server.name)).toEqual(['NVIDIA DCGM']);
  expect(findServingSystem(run)).toBeUndefined();
});

test.each([
  ['of a known exporter by its labels', { gpu_id: '0', card_model: 'MI300X' }, 'AMD device metrics'],
  ['of another exporter with the same names', { card: '0' }, 'Unknown server'],
])('shows metrics %s', (_, labels, title) => {
  const gauge = createGauge(80, { max: 90, labels });
  const run = createRun({ gpu_gfx_activity: createMetric('gauge', [gauge]) });
  expect(findKeyMetrics(run).map(({ server }) => server.name)).toEqual([title]);
});

test('requests and failures that pass several frontends are counted once', () => {
  const gauge = (value: number): object => createMetric('gauge', [createGauge(value)]);
  const counter = (value: number): object => createMetric('counter', [createCounter(value)]);
  const system = findServingSystem(
    createRun({
      litellm_in_flight_requests: gauge(8),
      llm_d_epp_request_running: gauge(7),
      [RUNNING]: createMetric('gauge', [createGauge(6, { url: URL_B })]),
      litellm_proxy_failed_requests_metric: counter(5),
      llm_d_epp_request_error: counter(4),
    }),
  )!;
  expect([system.inFlight!.avg, system.running!.avg, system.failed]).toEqual([8, 6, 5]);
});

test('counts the twins of the llm-d endpoint picker once', () => {
  const counter = createMetric('counter', [createCounter(4)]);
  const [instance, ...others] = findServerInstances(
    createRun({
      llm_d_epp_request: counter,
      llm_d_router_epp_request: counter,
      inference_objective_request: counter,
      llm_d_epp_request_error: counter,
      inference_objective_request_error: counter,
    }),
  );
  expect(others).toEqual([]);
  expect(computeTotal(instance!, 'completedRequests')).toBe(4);
  expect(instance!.failures.map(({ count }) => count)).toEqual([4]);
});
