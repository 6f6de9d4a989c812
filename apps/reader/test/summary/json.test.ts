import { createRunFromView } from '@org/analysis';
import { expect, test } from 'vitest';
import {
  createCounter,
  createDocument,
  createHistogram,
  createMetric,
} from '../../../../packages/analysis/test/documents.ts';
import { buildSummaryDocument } from '../../src/summary/json.ts';
import { CLUSTER, createHostileRun, INCOMPLETE_RUNS } from '../support/summarizedRuns.ts';

test('contains times as strings, endpoints, key metrics and the evidence of findings', () => {
  const summary = buildSummaryDocument(CLUSTER);
  expect(summary).toMatchObject({
    run: 'cluster',
    profiling_start_ns: '1795254800000000000',
    profiling_seconds: 20,
    metrics: 8,
    series: 96,
    endpoints: expect.arrayContaining([
      expect.objectContaining({
        name: 'down:1',
        state: 'without_data',
        last_error: 'refused the connection',
      }),
    ]),
    servers: [{ name: 'vLLM' }],
  });
  const finding = summary.findings.find(({ id }) => id === 'full-kv-cache');
  expect(finding).toMatchObject({ severity: 'problem', server: 'vLLM' });
  expect(finding!.evidence[0]!.numbers).toEqual({ max: 1, avg: 0.9, preemptions: 5 });
});

test('contains the stages of a request in total and over time', () => {
  const latency = createMetric('histogram', [createHistogram(100, 2, { slices: [1, 3] })], 'seconds');
  const metrics = { 'vllm:e2e_request_latency_seconds': latency };
  const summary = buildSummaryDocument(createRunFromView(createDocument(metrics)));
  expect(summary.request_time).toMatchObject({
    servers: ['vLLM'],
    requests: 100,
    mean_ms: 2000,
    stages: [
      {
        stage: 'server',
        share: 1,
        timeslices: [
          { start_ns: '1795254800000000000', mean_ms: 1000 },
          { start_ns: '1795254802000000000', mean_ms: 3000 },
        ],
      },
    ],
    unknown: [],
  });
  expect(buildSummaryDocument(createRunFromView(createDocument({}))).request_time).toBeNull();
});

test('omits the findings in `without`', () => {
  const { findings } = buildSummaryDocument(CLUSTER, { without: ['full-kv-cache'] });
  expect(findings.map(({ id }) => id)).not.toContain('full-kv-cache');
});

test('contains text from servers unchanged, escaped by JSON', () => {
  expect(JSON.stringify(buildSummaryDocument(createHostileRun()))).not.toContain('\u001b');
});

test.each(Object.entries(INCOMPLETE_RUNS))('describes an incomplete run: %s', (_, run) => {
  expect(JSON.parse(JSON.stringify(buildSummaryDocument(run)))).toHaveProperty('findings');
});

test('contains derived metrics, and the reasons of unknown values', () => {
  const counter = (total: number): object => createMetric('counter', [createCounter(total)]);
  const metrics = { 'vllm:prefix_cache_hits': counter(1), 'vllm:prefix_cache_queries': counter(4) };
  const { derived } = buildSummaryDocument(createRunFromView(createDocument(metrics)));
  const labels = { server: 'vLLM' };
  expect(derived).toContainEqual({
    ...{ name: 'prefix_cache_hit_rate', unit: 'ratio', endpoint: 'localhost:8000', labels },
    ...{ value: 0.25, is_exact: true, timeslices: [] },
  });
  expect(derived).toContainEqual({
    ...{ name: 'tokens_per_step', unit: 'tokens/steps', endpoint: 'localhost:8000', labels, value: null },
    ...{ missing: 'needs step_tokens, which vLLM at localhost:8000 does not export', timeslices: [] },
  });
});
