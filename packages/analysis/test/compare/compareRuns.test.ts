import { describe, expect, test } from 'vitest';
import { type CompareOptions, compareRuns, type Run } from '../../src/index.ts';
import { createCounter, createGauge, createHistogram, createMetric } from '../documents.ts';
import {
  compareRows,
  createTestRun,
  createTokenRun,
  createTokens,
  type Metrics,
  varySlices,
} from './runs.ts';

const createLatencies = (avg: number): object =>
  createMetric('histogram', [createHistogram(500, avg, { slices: varySlices(avg) })], 'seconds');

const base = createTestRun({
  'vllm:generation_tokens': createMetric('counter', [createTokens(1000)], 'tokens'),
  'vllm:num_requests_waiting': createMetric('gauge', [createGauge(10, { slices: varySlices(10) })]),
  'vllm:e2e_request_latency_seconds': createLatencies(2),
  'vllm:num_preemptions': createMetric('counter', [createCounter(0, { slices: varySlices(0) })]),
});

test.each<[string, Metrics, object]>([
  [
    'lower throughput is worse',
    { 'vllm:generation_tokens': createMetric('counter', [createTokens(800)], 'tokens') },
    { verdict: 'worse', change: -0.2 },
  ],
  [
    'higher throughput is better',
    { 'vllm:generation_tokens': createMetric('counter', [createTokens(1200)], 'tokens') },
    { verdict: 'better', change: 0.2 },
  ],
  [
    'a change within the noise is no evidence',
    { 'vllm:generation_tokens': createMetric('counter', [createTokens(1004)], 'tokens') },
    { verdict: 'no evidence' },
  ],
  [
    'higher latency is worse',
    { 'vllm:e2e_request_latency_seconds': createLatencies(3) },
    { stat: 'avg', verdict: 'worse', change: 0.5 },
  ],
  [
    'a longer queue is changed, but neither better nor worse',
    { 'vllm:num_requests_waiting': createMetric('gauge', [createGauge(20, { slices: varySlices(20) })]) },
    { verdict: 'changed', change: 1 },
  ],
  [
    'a change from 0 has no relative size',
    { 'vllm:num_preemptions': createMetric('counter', [createCounter(100, { slices: varySlices(5) })]) },
    { verdict: 'worse', change: null },
  ],
  [
    '0 on both sides is unchanged',
    { 'vllm:num_preemptions': createMetric('counter', [createCounter(0, { slices: varySlices(0) })]) },
    { verdict: 'unchanged', change: 0 },
  ],
  [
    'a metric without slices is untested',
    { 'vllm:generation_tokens': createMetric('counter', [createCounter(1)], 'tokens') },
    { verdict: 'untested', p: null, noise: null },
  ],
])('one run per side: %s', (_, metrics, expected) => {
  expect(compareRows(base, createTestRun(metrics))[0]).toMatchObject(expected);
});

test('ignores a significant change that is smaller than minChange', () => {
  const other = createTokenRun(950);
  expect(compareRows(base, other)[0]!.verdict).toBe('worse');
  expect(compareRows(base, other, { minChange: 0.1 })[0]!.verdict).toBe('unchanged');
});

test.each<[string, CompareOptions, string[]]>([
  [
    'the default statistics of each type',
    {},
    [
      'vllm:e2e_request_latency_seconds avg',
      'vllm:e2e_request_latency_seconds p99_estimate',
      'vllm:generation_tokens rate',
      'vllm:num_preemptions rate',
      'vllm:num_requests_waiting avg',
    ],
  ],
  [
    'by name of the statistic',
    { stats: ['total'] },
    ['vllm:generation_tokens total', 'vllm:num_preemptions total'],
  ],
  [
    'by part of the metric name',
    { metrics: ['tokens', 'waiting'] },
    ['vllm:generation_tokens rate', 'vllm:num_requests_waiting avg'],
  ],
])('selects the statistics to compare: %s', (_, options, expected) => {
  expect(
    compareRows(base, base, options)
      .map(({ name, stat }) => `${name} ${stat}`)
      .sort(),
  ).toEqual(expected);
});

test('lists series that only one side has', () => {
  const other = createTestRun({
    'vllm:generation_tokens': createMetric('counter', [createTokens(1000)]),
    new: createMetric('gauge', [createGauge(1)]),
  });
  const { onlyBase, onlyNew } = compareRuns([base], [other]);
  expect([onlyBase.length, onlyNew.map(({ name }) => name)]).toEqual([3, ['new']]);
});

test('returns a hint about a label that prevents series from matching', () => {
  const [modelA, modelB] = ['a', 'b'].map(model => createTokenRun(100, { labels: { model } })) as [Run, Run];
  expect(compareRuns([modelA], [modelB]).hint).toMatchObject({
    labels: [{ label: 'model' }],
    matchingSeries: 2,
  });
  const { rows, hint } = compareRuns([modelA], [modelB], { ignoreLabels: ['model'] });
  expect([rows.length, hint]).toEqual([1, undefined]);
});

describe('several runs per side', () => {
  const createRepeats = (rates: readonly number[]): Run[] => rates.map(rate => createTokenRun(rate));

  test('estimates noise from runs, not from slices', () => {
    const distinct = compareRuns(createRepeats([1000, 1010, 990]), createRepeats([800, 810, 790]));
    expect(distinct.rows[0]).toMatchObject({
      verdict: 'worse',
      basis: ['runs', 'runs'],
      runs: [
        [1000, 1010, 990],
        [800, 810, 790],
      ],
    });
    const overlapping = compareRuns(createRepeats([700, 1300, 1000]), createRepeats([650, 1000, 750]));
    expect(overlapping.rows[0]!.verdict).toBe('no evidence');
  });

  test('runs the rank test on request', () => {
    const [row] = compareRuns(createRepeats([1, 2, 3, 4]), createRepeats([11, 12, 13, 14]), {
      test: 'mann-whitney',
    }).rows;
    expect(row).toMatchObject({ verdict: 'better', effect: 1 });
    expect(row!.p).toBeCloseTo(2 / 70, 5);
  });
});

describe('many comparisons', () => {
  /** Creates a run with 200 gauges of white noise with the same mean. */
  function createNoisyRun(seed: number): Run {
    let state = seed;
    const next = (): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state / 2 ** 32;
    };
    const createSlices = (): number[] =>
      Array.from(
        { length: 20 },
        () => 100 + 5 * Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
      );
    const series = Array.from({ length: 200 }, (_, i) => {
      const slices = createSlices();
      return createGauge(slices.reduce((sum, value) => sum + value, 0) / 20, {
        labels: { i: String(i) },
        slices,
      });
    });
    return createTestRun({ some_level: createMetric('gauge', series) });
  }

  const countChanges = (correction: CompareOptions['correction']): number =>
    compareRuns([createNoisyRun(1)], [createNoisyRun(2)], {
      minChange: 0,
      correction: correction!,
    }).rows.filter(({ verdict }) => verdict === 'changed').length;

  test('finds false differences among 200 equal pairs only without correction', () => {
    expect(countChanges('none')).toBeGreaterThan(2);
    expect(countChanges('bh')).toBe(0);
    expect(countChanges('holm')).toBe(0);
  });
});
