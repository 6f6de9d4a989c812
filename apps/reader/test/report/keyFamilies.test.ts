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

test('finds the first metrics of an unknown server, except process and info metrics', () => {
  const names = Array.from({ length: 20 }, (_, i) => `metric_${i}`);
  const run = createMetricRun({
    process_cpu_seconds: createMetric('counter', [createCounter(1)]),
    build_info: createMetric('gauge', [createGauge(1)]),
    ...Object.fromEntries(names.map(name => [name, createMetric('gauge', [createGauge(1)], 'ratio')])),
  });
  const families = findKeyFamilies(run);
  expect(families.map(({ family }) => family.name)).toEqual(names.slice(0, 12));
  expect(families[0]!.combined).toBe('max');
});

test('finds nothing in an empty run', () => {
  expect(findKeyFamilies(createMetricRun({}))).toEqual([]);
});
