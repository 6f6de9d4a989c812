import { describe, expect, test } from 'vitest';
import { type CompareOptions, compareRuns, type Run } from '../../src/index.ts';
import { counter, gauge, histogram, metric } from '../documents.ts';
import {
  compareRows,
  createTestRun,
  createTokenRun,
  createTokens,
  type Metrics,
  varySlices,
} from './runs.ts';

const createLatencies = (avg: number): object =>
  metric('histogram', [histogram(500, avg, { slices: varySlices(avg) })], 'seconds');

const base = createTestRun({
  'vllm:generation_tokens': metric('counter', [createTokens(1000)], 'tokens'),
  'vllm:num_requests_waiting': metric('gauge', [gauge(10, { slices: varySlices(10) })]),
  'vllm:e2e_request_latency_seconds': createLatencies(2),
  'vllm:num_preemptions': metric('counter', [counter(0, { slices: varySlices(0) })]),
});

test.each<[string, Metrics, object]>([
  [
    'lower throughput is worse',
    { 'vllm:generation_tokens': metric('counter', [createTokens(800)], 'tokens') },
    { verdict: 'worse', change: -0.2 },
  ],
  [
    'higher throughput is better',
    { 'vllm:generation_tokens': metric('counter', [createTokens(1200)], 'tokens') },
    { verdict: 'better', change: 0.2 },
  ],
  [
    'a change within the noise is no evidence',
    { 'vllm:generation_tokens': metric('counter', [createTokens(1004)], 'tokens') },
    { verdict: 'no evidence' },
  ],
  [
    'higher latency is worse',
    { 'vllm:e2e_request_latency_seconds': createLatencies(3) },
    { stat: 'avg', verdict: 'worse', change: 0.5 },
  ],
  [
    'a longer queue is changed, neither better nor worse',
    { 'vllm:num_requests_waiting': metric('gauge', [gauge(20, { slices: varySlices(20) })]) },
    { verdict: 'changed', change: 1 },
  ],
  [
    'a change from 0 has no relative size',
    { 'vllm:num_preemptions': metric('counter', [counter(100, { slices: varySlices(5) })]) },
    { verdict: 'worse', change: null },
  ],
  [
    '0 on both sides is the same',
    { 'vllm:num_preemptions': metric('counter', [counter(0, { slices: varySlices(0) })]) },
    { verdict: 'unchanged', change: 0 },
  ],
  [
    'a metric without slices is untested',
    { 'vllm:generation_tokens': metric('counter', [counter(1)], 'tokens') },
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
    'every type has its default statistics',
    {},
    [
      'vllm:e2e_request_latency_seconds avg',
      'vllm:e2e_request_latency_seconds p99_estimate',
      'vllm:generation_tokens rate',
      'vllm:num_preemptions rate',
      'vllm:num_requests_waiting avg',
    ],
  ],
  ['by statistic', { stats: ['total'] }, ['vllm:generation_tokens total', 'vllm:num_preemptions total']],
  [
    'by part of the name',
    { metrics: ['tokens', 'waiting'] },
    ['vllm:generation_tokens rate', 'vllm:num_requests_waiting avg'],
  ],
])('selects what to compare: %s', (_, options, expected) => {
  expect(
    compareRows(base, base, options)
      .map(({ name, stat }) => `${name} ${stat}`)
      .sort(),
  ).toEqual(expected);
});

test('lists series that only one side has', () => {
  const other = createTestRun({
    'vllm:generation_tokens': metric('counter', [createTokens(1000)]),
    new: metric('gauge', [gauge(1)]),
  });
  const { onlyBase, onlyNew } = compareRuns([base], [other]);
  expect([onlyBase.length, onlyNew.map(({ name }) => name)]).toEqual([3, ['new']]);
});

test('names a label that keeps series from matching', () => {
  const [one, other] = ['a', 'b'].map(model => createTokenRun(100, { labels: { model } })) as [Run, Run];
  expect(compareRuns([one], [other]).hint).toMatchObject({ labels: [{ label: 'model' }], series: 2 });
  const { rows, hint } = compareRuns([one], [other], { ignoreLabels: ['model'] });
  expect([rows.length, hint]).toEqual([1, undefined]);
});

describe('several runs per side', () => {
  const repeat = (rates: readonly number[]): Run[] => rates.map(rate => createTokenRun(rate));

  test('estimates noise from runs, not from slices', () => {
    const distinct = compareRuns(repeat([1000, 1010, 990]), repeat([800, 810, 790]));
    expect(distinct.rows[0]).toMatchObject({
      verdict: 'worse',
      basis: ['runs', 'runs'],
      runs: [
        [1000, 1010, 990],
        [800, 810, 790],
      ],
    });
    const overlapping = compareRuns(repeat([700, 1300, 1000]), repeat([650, 1000, 750]));
    expect(overlapping.rows[0]!.verdict).toBe('no evidence');
  });

  test('runs the rank test on request', () => {
    const [row] = compareRuns(repeat([1, 2, 3, 4]), repeat([11, 12, 13, 14]), { test: 'mann-whitney' }).rows;
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
      return gauge(slices.reduce((sum, value) => sum + value, 0) / 20, { labels: { i: String(i) }, slices });
    });
    return createTestRun({ some_level: metric('gauge', series) });
  }

  const countChanges = (correction: CompareOptions['correction']): number =>
    compareRuns([createNoisyRun(1)], [createNoisyRun(2)], {
      minChange: 0,
      correction: correction!,
    }).rows.filter(({ verdict }) => verdict === 'changed').length;

  test('finds differences among 200 equal pairs only without correction', () => {
    expect(countChanges('none')).toBeGreaterThan(2);
    expect(countChanges('bh')).toBe(0);
    expect(countChanges('holm')).toBe(0);
  });
});
