import { expect, test } from 'vitest';
import { type Rollup, rollUp } from '../../../src/compare/matching/rollup.ts';
import { listSeries, type RunSeries } from '../../../src/index.ts';
import { createCounter, createGauge, createHistogram, createMetric, createSlices } from '../../documents.ts';
import { compareRows, createTestRun, createTokens, varySlices } from '../runs.ts';

const listTestSeries = (type: string, series: readonly object[], unit?: string): RunSeries[] => [
  ...listSeries(createTestRun({ name: createMetric(type, series, unit) })),
];

const createRankLabel = (i: number): { labels: Record<string, string> } => ({ labels: { rank: String(i) } });

test.each<[Rollup, string | undefined, number]>([
  ['auto', undefined, 6],
  ['auto', 'ratio', 3],
  ['sum', 'ratio', 6],
  ['mean', undefined, 3],
  ['max', undefined, 4],
])('combines gauges: %s with the unit %s', (rollup, unit, expected) => {
  const gauges = [2, 4].map((value, i) =>
    createGauge(value, { ...createRankLabel(i), slices: varySlices(value) }),
  );
  const { stats, slices, seriesCount } = rollUp(listTestSeries('gauge', gauges, unit), rollup);
  expect([stats.avg, slices.length, seriesCount]).toEqual([expected, 10, 2]);
  expect(slices[0]!.avg).toBeCloseTo(expected * 1.02, 9);
});

test('does not add statistics that are not additive', () => {
  const gauges = [2, 4].map((value, i) => createGauge(value, createRankLabel(i)));
  expect(Object.keys(rollUp(listTestSeries('gauge', gauges), 'sum').stats)).toEqual(['avg']);
});

test('adds counters and their slices', () => {
  const counters = [100, 200].map((rate, i) => createTokens(rate, createRankLabel(i)));
  const { stats, slices } = rollUp(listTestSeries('counter', counters), 'auto');
  expect(stats).toMatchObject({ total: 6000, rate: 300 });
  expect(slices[0]).toMatchObject({ rate: 306, total: 612 });
});

test('omits a sum if a series lacks the statistic, but keeps a maximum', () => {
  const series = listTestSeries('counter', [
    createCounter(1, { ...createRankLabel(0), stats: { increase: 5 } }),
    createCounter(2, createRankLabel(1)),
  ]);
  expect(rollUp(series, 'sum').stats).toEqual({ total: 3, rate: 0.15000000000000002 });
  expect(rollUp(series, 'max').stats).toEqual({ total: 2, rate: 0.1, increase: 5 });
});

test('adds the rates of the slices of histograms, which have no sampling artefacts', () => {
  const histograms = [10, 20].map((rate, i) => ({
    ...createHistogram(100, 2, createRankLabel(i)),
    timeslices: createSlices([{ count: 15, sum: 30, avg: 2, buckets: { '+Inf': 15 }, count_rate: rate }]),
  }));
  const { slices } = rollUp(listTestSeries('histogram', histograms), 'auto');
  expect(slices[0]).toMatchObject({ count: 30, sum: 60, avg: 2, count_rate: 30 });
});

test('has no mean of histograms without sums', () => {
  const histograms = [0, 1].map(i => {
    const timeslices = createSlices([{ count: 15, buckets: { '+Inf': 15 } }]);
    return {
      ...createHistogram(100, 2, createRankLabel(i)),
      stats: { count: 100, count_rate: 5 },
      timeslices,
    };
  });
  const { stats, slices } = rollUp(listTestSeries('histogram', histograms), 'auto');
  expect(stats).toMatchObject({ count: 200, count_rate: 10 });
  for (const values of [stats, slices[0]!])
    expect(Object.keys(values)).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(avg|sum)/)]));
});

test('keeps only the slices that all series have', () => {
  const gauges = [[1, 2, 3], [1]].map((slices, i) => createGauge(1, { ...createRankLabel(i), slices }));
  expect(rollUp(listTestSeries('gauge', gauges), 'sum').slices.map(({ avg }) => avg)).toEqual([2]);
});

test('merges histograms bucket by bucket', () => {
  const histograms = [1, 1].map((avg, i) =>
    createHistogram(100, avg, { ...createRankLabel(i), slices: varySlices(avg) }),
  );
  const { stats, slices } = rollUp(listTestSeries('histogram', histograms, 'seconds'), 'auto');
  expect(stats).toMatchObject({ count: 200, sum: 200, avg: 1 });
  // Each of the four buckets contains a quarter; the last bucket is from 2 to 4 s: 2 + 2 * (99 - 75) / 25.
  expect(stats.p99_estimate).toBeCloseTo(3.92, 5);
  expect(slices[0]).toMatchObject({ count: 100, buckets: { '+Inf': 100 } });
});

test.each<[string, object]>([
  ['bounds differ', { buckets: { '7': 100, '+Inf': 100 } }],
  ['a histogram has no buckets after a reset', { buckets: null }],
])('computes no percentiles if %s', (_, extraFields) => {
  const run = createTestRun({
    name: createMetric('histogram', [
      createHistogram(100, 1, createRankLabel(0)),
      createHistogram(100, 1, { ...createRankLabel(1), extraFields }),
    ]),
  });
  expect(compareRows(run, run, { ignoreLabels: ['rank'] }).map(({ stat }) => stat)).toEqual(['avg']);
});

test('combines more series than a function call can have arguments', () => {
  const series = Array.from({ length: 130_000 }, (_, i) => createCounter(i, { labels: { i: String(i) } }));
  const large = createTestRun({ 'vllm:generation_tokens': createMetric('counter', series) });
  const small = createTestRun({ 'vllm:generation_tokens': createMetric('counter', [createCounter(1)]) });
  expect(compareRows(small, large, { by: [] })[0]).toMatchObject({
    seriesCount: 130_000,
    verdict: 'untested',
  });
});
