import { describe, expect, test } from 'vitest';
import { matchSeries } from '../../src/compare/matchSeries.ts';
import { resolveSettings } from '../../src/compare/settings.ts';
import {
  compareStat,
  estimateSide,
  isTested,
  type StatComparison,
} from '../../src/compare/statComparison.ts';
import { counter, gauge, histogram, metric } from '../documents.ts';
import { createTestRun, varySlices } from './runs.ts';

/** Estimates a statistic of one series in one or several runs. */
function estimate(type: string, series: readonly object[], stat: string) {
  const runs = series.map(entry => createTestRun({ name: metric(type, [entry]) }));
  const [match] = matchSeries(runs).matches;
  return estimateSide(match!.values, stat, match!.type);
}

describe('estimates the noise of one side', () => {
  test.each<[string, string, object[], string, object]>([
    ['repeated runs', 'counter', [counter(20), counter(40)], 'rate', { basis: 'runs', mean: 1.5, values: 2 }],
    [
      'slices of a counter',
      'counter',
      [counter(20, { slices: varySlices(1) })],
      'rate',
      { basis: 'slices', mean: 1, values: 10 },
    ],
    [
      'slices of a gauge',
      'gauge',
      [gauge(5, { slices: varySlices(5) })],
      'avg',
      { basis: 'slices', mean: 5, values: 10 },
    ],
    [
      'slices of a histogram, weighted by observations',
      'histogram',
      [histogram(500, 2, { slices: varySlices(2) })],
      'avg',
      { basis: 'slices', mean: 2, values: 10 },
    ],
    ['nothing, with too few slices', 'counter', [counter(20, { slices: [1, 1] })], 'rate', { basis: 'none' }],
    ['nothing, for a maximum', 'gauge', [gauge(5, { slices: varySlices(5) })], 'max', { basis: 'none' }],
    [
      'nothing, if the percentiles of all slices are equal',
      'histogram',
      [histogram(500, 2, { slices: Array.from({ length: 10 }, () => 2) })],
      'p99_estimate',
      { basis: 'none', mean: 7.8 },
    ],
  ])('from %s', (_, type, series, stat, expected) => {
    expect(estimate(type, series, stat)!.estimate).toMatchObject(expected);
  });

  test('scales the noise of slice percentiles to the percentile of the run', () => {
    // Bucket bounds do not depend on the slice, so the shares of the buckets vary.
    const slices = varySlices(25, 0.4);
    const timeslices = slices.map((low, i) => ({
      start_ns: BigInt(i) * 2_000_000_000n,
      end_ns: BigInt(i + 1) * 2_000_000_000n,
      count: 100,
      sum: 100,
      avg: 1,
      buckets: { '1': Math.round(low), '2': 100, '+Inf': 100 },
    }));
    const side = estimate('histogram', [histogram(500, 1, { more: { timeslices } })], 'p50_estimate')!;
    expect(side.estimate).toMatchObject({ basis: 'slices', mean: 1 });
    expect(side.estimate.error).toBeGreaterThan(0);
  });
});

test('returns nothing for a statistic that no run has', () => {
  expect(estimate('counter', [counter(1)], 'p99')).toBeUndefined();
});

describe('counts comparisons for the correction of p', () => {
  const compare = (base: object, other: object): StatComparison => {
    const runs = [base, other].map(entry => createTestRun({ name: metric('counter', [entry]) }));
    const { values, ...match } = matchSeries(runs).matches[0]!;
    return compareStat(
      { ...match, values },
      [values.slice(0, 1), values.slice(1)],
      'rate',
      resolveSettings({}),
    )!;
  };
  const createCounter = (slices: readonly number[]): object => counter(20 * slices[0]!, { slices });
  const constant = Array.from({ length: 10 }, () => 3);

  test.each<[string, object, object, boolean]>([
    ['values that vary', createCounter(varySlices(3)), createCounter(varySlices(3)), true],
    ['a constant that changed', createCounter(constant), createCounter(constant.map(() => 4)), true],
    ['an equal constant', createCounter(constant), createCounter(constant), false],
    ['unknown noise', counter(60), counter(80), false],
  ])('%s', (_, base, other, expected) => {
    expect(isTested(compare(base, other))).toBe(expected);
  });
});
