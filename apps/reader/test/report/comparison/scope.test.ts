import { compareRuns, type Run } from '@org/analysis';
import { expect, test } from 'vitest';
import { describeScope, listDifferences } from '../../../src/report/comparison/model/scope.ts';
import { createMetricRun } from '../../support/reportedRuns.ts';

/** The options of a run with this rate, and these further ones. */
function createOptions(rate: number, further: object = {}): Run['inputConfig'] {
  return { phases: [{ name: 'profiling', type: 'poisson', rate, duration: 20 }], ...further };
}

function createRun(name: string, inputConfig: Run['inputConfig'], servers = ['vLLM']): Run {
  const metric = servers.includes('vLLM') ? 'vllm:num_requests_running' : 'sglang:num_running_reqs';
  const series = { endpoint_url: 'http://localhost:8000/metrics', labels: {}, stats: { avg: 1 } };
  const metrics = { [metric]: { type: 'gauge', description: '', unit: null, series: [series] } };
  return { ...createMetricRun(metrics as never, name), inputConfig };
}

const BASE = createRun('base', createOptions(12));

test.each<readonly [string, Run, string, string]>([
  ['equal settings', createRun('new', createOptions(12)), 'good', 'SAME LOAD: no recorded setting'],
  ['another load', createRun('new', createOptions(24)), 'warning', 'NOT THE SAME LOAD: 12 → 24 requests/s.'],
  [
    'another length',
    createRun('new', { phases: [{ name: 'profiling', type: 'poisson', rate: 12, duration: 60 }] }),
    'good',
    'SAME LOAD, OTHER LENGTH: 20 → 60 s.',
  ],
  [
    'another model',
    createRun('new', createOptions(12, { models: { items: [{ name: 'b' }] } })),
    'warning',
    'NOT THE SAME MODEL: model none → b.',
  ],
  [
    'other servers, before another load',
    createRun('new', createOptions(24), ['SGLang']),
    'warning',
    'NOT THE SAME SERVERS: servers vLLM → SGLang.',
  ],
  [
    'no recorded settings',
    createRun('new', {}),
    'unknown',
    'UNKNOWN SETTINGS: new does not record its load.',
  ],
  ['the same run', BASE, 'warning', 'THE SAME RUN TWICE: new is also the baseline.'],
])('says what can be compared with %s', (_, other, tone, sentence) => {
  const scope = describeScope([compareRuns([BASE], [other])], ['new']);
  expect([scope.tone, scope.sentence]).toEqual([tone, expect.stringContaining(sentence)]);
  expect(scope.meaning).toMatch(/\.$/);
});

test('names the benchmarks with another load if there are several', () => {
  const others = [createRun('b', createOptions(12)), createRun('c', createOptions(24))];
  const scope = describeScope(
    others.map(other => compareRuns([BASE], [other])),
    ['b', 'c'],
  );
  expect(scope.sentence).toBe('NOT THE SAME LOAD: c 12 → 24 requests/s.');
});

test('names only the benchmarks if many have another load, and lists their settings', () => {
  const others = [20, 24, 30].map(rate => createRun(`r${rate}`, createOptions(rate)));
  const comparisons = others.map(other => compareRuns([BASE], [other]));
  const scope = describeScope(
    comparisons,
    others.map(({ name }) => name),
  );
  expect(scope.sentence).toBe('NOT THE SAME LOAD: r20, r24 and r30 differ from the baseline.');
  expect(comparisons.map(comparison => listDifferences(comparison, scope))).toEqual(
    [20, 24, 30].map(rate => [`load: 12 → ${rate} requests/s`]),
  );
});

test('lists the settings that the sentence does not state', () => {
  const options = { phases: [{ name: 'profiling', type: 'poisson', rate: 24, duration: 60 }] };
  const comparison = compareRuns([BASE], [createRun('new', options)]);
  const scope = describeScope([comparison], ['new']);
  expect(scope.sentence).toBe('NOT THE SAME LOAD: 12 → 24 requests/s.');
  expect(listDifferences(comparison, scope)).toEqual(['duration: 20 → 60 s']);
});
