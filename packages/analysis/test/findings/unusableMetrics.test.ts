import { expect, test } from 'vitest';
import { findKeyMetrics } from '../../src/keyMetrics/keyMetrics.ts';
import { createRunFromView } from '../../src/run/run.ts';
import { findServingSystem } from '../../src/servers/servingSystem.ts';
import {
  createCounter,
  createDocument,
  createGauge,
  createHistogram,
  createMetric,
  healthyInfo,
  URL_A,
} from '../documents.ts';
import { findById, type Metrics } from './runs.ts';

const RUNNING = { 'vllm:num_requests_running': createMetric('gauge', [createGauge(2)]) };
const WAITING = { 'vllm:num_requests_waiting': createMetric('gauge', [createGauge(1)]) };
/** Further metrics of the server, with names that are not known. */
const OTHERS = Object.fromEntries(
  Array.from({ length: 8 }, (_, index) => [
    `vllm:future_metric_${index}`,
    createMetric('gauge', [createGauge(1)]),
  ]),
);
const INFOS = { [URL_A]: healthyInfo };

function listTexts(metrics: Metrics): string[] {
  const finding = findById('unusable-metrics', metrics, INFOS);
  return (finding?.evidence ?? []).map(({ text }) => text);
}

test.each<[string, Metrics, string[]]>([
  [
    'a known name with another type',
    { ...RUNNING, 'vllm:num_requests_waiting': createMetric('counter', [createCounter(5)]) },
    ['vllm:num_requests_waiting is a counter instead of a gauge'],
  ],
  [
    'an older name with another type',
    { ...RUNNING, ...WAITING, 'vllm:gpu_cache_usage_perc': createMetric('counter', [createCounter(5)]) },
    ['vllm:gpu_cache_usage_perc is a counter instead of a gauge'],
  ],
  [
    'a counter of results without their label',
    { ...RUNNING, ...WAITING, 'vllm:request_success': createMetric('counter', [createCounter(5)]) },
    ['vllm:request_success has no label finished_reason, so that failed requests are unknown'],
  ],
  [
    'half of the metrics',
    { ...RUNNING, ...OTHERS },
    ['vLLM exports no vllm:num_requests_waiting: its version is unknown, or the page is incomplete'],
  ],
  [
    'a version with other names',
    OTHERS,
    [
      'vLLM exports no vllm:num_requests_running and no vllm:num_requests_waiting: its version is unknown, or the page is incomplete',
    ],
  ],
  ['the metrics of a known version', { ...RUNNING, ...WAITING, ...OTHERS }, []],
  ['a few metrics that a monitoring system kept', { ...RUNNING }, []],
  [
    'untyped metrics',
    { ...RUNNING, 'vllm:num_requests_waiting': createMetric('unknown', [createGauge(1)]) },
    [],
  ],
  [
    "a part of an engine's metrics on the page of a Dynamo worker",
    { ...RUNNING, ...OTHERS, dynamo_component_requests: createMetric('counter', [createCounter(5)]) },
    [],
  ],
])('lists what is wrong with %s', (_, metrics, texts) => {
  expect(listTexts(metrics)).toEqual(texts);
});

test('no figure comes from a metric with another type', () => {
  const metrics = {
    ...RUNNING,
    'vllm:num_requests_waiting': createMetric('histogram', [createHistogram(9, 0.5)]),
  };
  const run = createRunFromView(createDocument(metrics, INFOS));
  expect(findServingSystem(run)).toMatchObject({ waiting: undefined, running: { avg: 2 } });
  const [vllm] = findKeyMetrics(run);
  expect(vllm!.metrics.map(({ metric }) => metric.name)).toEqual(['vllm:num_requests_running']);
});
