import { expect, test } from 'vitest';
import { createCounter, createGauge, createMetric } from '../../../../packages/analysis/test/documents.ts';
import { findKeyFamilies } from '../../src/report/keyFamilies.ts';
import { createMetricRun, VLLM_METRICS } from '../support/reportedRuns.ts';

test('finds the key metrics of a known server, and the operation that combines endpoints', () => {
  const run = createMetricRun({ ...VLLM_METRICS, other: createMetric('gauge', [createGauge(1)]) });
  expect(findKeyFamilies(run).map(({ family, kind, combined }) => [family.name, kind, combined])).toEqual([
    ['vllm:num_requests_running', 'level', 'sum'],
    ['vllm:kv_cache_usage_perc', 'level', 'max'],
    ['vllm:e2e_request_latency_seconds', 'observations', 'mean'],
    ['vllm:generation_tokens', 'rate', 'sum'],
  ]);
});

test('finds the metrics of an unknown server that show its activity, except process and info metrics', () => {
  const run = createMetricRun({
    process_cpu_seconds: createMetric('counter', [createCounter(1)]),
    build_info: createMetric('gauge', [createGauge(1)]),
    constant: createMetric('gauge', [createGauge(0)]),
    idle: createMetric('counter', [createCounter(0)]),
    usage: createMetric('gauge', [createGauge(1)], 'ratio'),
    requests: createMetric('counter', [createCounter(5)]),
  });
  expect(findKeyFamilies(run).map(({ family, combined }) => [family.name, combined])).toEqual([
    ['requests', 'sum'],
    ['usage', 'max'],
  ]);
});

test('finds nothing in an empty run', () => {
  expect(findKeyFamilies(createMetricRun({}))).toEqual([]);
});
