import { describe, expect, test } from 'vitest';
import { matchSeries } from '../../src/compare/matchSeries.ts';
import { resolveSettings } from '../../src/compare/settings.ts';
import {
  compareStat,
  estimateSide,
  isTested,
  type StatComparison,
} from '../../src/compare/statComparison.ts';
import { createCounter, createGauge, createHistogram, createMetric } from '../documents.ts';
import { createTestRun, varySlices } from './runs.ts';

/** Estimates a statistic of one series in one or several runs. */
function estimateStat(type: string, series: readonly object[], stat: string) {
  const runs = series.map(entry => createTestRun({ name: createMetric(type, [entry]) }));
  const [match] = matchSeries(runs).matches;
  return estimateSide(match!.values, stat, match!.type);
}

describe('estimates the noise of one side', () => {
  test.each<[string, string, object[], string, object]>([
    [
      'from repeated runs',
      'counter',
      [createCounter(20), createCounter(40)],
      'rate',
      { basis: 'runs', mean: 1.5, values: 2 },
    ],
    [
      'from slices of a counter',
      'counter',
      [createCounter(20, { slices: varySlices(1) })],
      'rate',
      { basis: 'slices', mean: 1, values: 10 },
    ],
    [
      'from slices of a gauge',
      'gauge',
      [createGauge(5, { slices: varySlices(5) })],
      'avg',
      { basis: 'slices', mean: 5, values: 10 },
    ],
    [
      'from slices of a histogram, weighted by observations',
      'histogram',
      [createHistogram(500, 2, { slices: varySlices(2) })],
      'avg',
      { basis: 'slices', mean: 2, values: 10 },
    ],
    [
      'as unknown with too few slices',
      'counter',
      [createCounter(20, { slices: [1, 1] })],
      'rate',
      { basis: 'none' },
    ],
    [
      'as unknown for a maximum',
      'gauge',
      [createGauge(5, { slices: varySlices(5) })],
      'max',
      { basis: 'none' },
    ],
    [
      'as unknown if the percentiles of all slices are equal',
      'histogram',
      [createHistogram(500, 2, { slices: Array.from({ length: 10 }, () => 2) })],
      'p99_estimate',
      { basis: 'none', mean: 7.8 },
    ],
  ])('%s', (_, type, series, stat, expected) => {
    expect(estimateStat(type, series, stat)!.estimate).toMatchObject(expected);
  });

  test('scales the noise of slice percentiles to the percentile of the run', () => {
    // All slices have the same bucket bounds; only the count of the first bucket varies.
    const slices = varySlices(25, 0.4);
    const timeslices = slices.map((low, i) => ({
      start_ns: BigInt(i) * 2_000_000_000n,
      end_ns: BigInt(i + 1) * 2_000_000_000n,
      count: 100,
      sum: 100,
      avg: 1,
      buckets: { '1': Math.round(low), '2': 100, '+Inf': 100 },
    }));
    const side = estimateStat(
      'histogram',
      [createHistogram(500, 1, { extraFields: { timeslices } })],
      'p50_estimate',
    )!;
    expect(side.estimate).toMatchObject({ basis: 'slices', mean: 1 });
    expect(side.estimate.error).toBeGreaterThan(0);
  });
});

test('returns undefined for a statistic that no run has', () => {
  expect(estimateStat('counter', [createCounter(1)], 'p99')).toBeUndefined();
});

describe('the correction of p-values', () => {
  const compareCounters = (base: object, other: object): StatComparison => {
    const runs = [base, other].map(entry => createTestRun({ name: createMetric('counter', [entry]) }));
    const { values, ...match } = matchSeries(runs).matches[0]!;
    return compareStat(
      { ...match, values },
      [values.slice(0, 1), values.slice(1)],
      'rate',
      resolveSettings({}),
    )!;
  };
  const createSlicedCounter = (slices: readonly number[]): object =>
    createCounter(20 * slices[0]!, { slices });
  const constant = Array.from({ length: 10 }, () => 3);

  test.each<[string, object, object, boolean]>([
    [
      'includes values that vary',
      createSlicedCounter(varySlices(3)),
      createSlicedCounter(varySlices(3)),
      true,
    ],
    [
      'includes a constant that changed',
      createSlicedCounter(constant),
      createSlicedCounter(constant.map(() => 4)),
      true,
    ],
    ['excludes an unchanged constant', createSlicedCounter(constant), createSlicedCounter(constant), false],
    ['excludes unknown noise', createCounter(60), createCounter(80), false],
  ])('%s', (_, base, other, expected) => {
    expect(isTested(compareCounters(base, other))).toBe(expected);
  });
});
