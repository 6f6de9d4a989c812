import { describe, expect, test } from 'vitest';
import { matchSeries } from '../../../src/compare/matching/matchSeries.ts';
import { estimateSide } from '../../../src/compare/noise/side.ts';
import { createCounter, createGauge, createHistogram, createMetric } from '../../documents.ts';
import { createTestRun, varySlices } from '../runs.ts';

/** Estimates a statistic of one series in one or several runs. */
function estimateStat(type: string, series: readonly object[], stat: string) {
  const runs = series.map(entry => createTestRun({ name: createMetric(type, [entry]) }));
  const [match] = matchSeries(runs).matches;
  return estimateSide(match!.values, stat, match!);
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
      'as unknown for a percentile, which is tested by the share of observations above it',
      'histogram',
      [createHistogram(500, 2, { slices: varySlices(2) })],
      'p99_estimate',
      { basis: 'none', mean: 7.8 },
    ],
  ])('%s', (_, type, series, stat, expected) => {
    expect(estimateStat(type, series, stat)!.estimate).toMatchObject(expected);
  });
});

test('returns undefined for a statistic that no run has', () => {
  expect(estimateStat('counter', [createCounter(1)], 'p99')).toBeUndefined();
});

test('gives a total the relative noise of its rate', () => {
  const counter = createCounter(20_000, { slices: varySlices(1000, 0.3) });
  const [total, rate] = ['total', 'rate'].map(stat => estimateStat('counter', [counter], stat)!.estimate);
  expect(total!.error / total!.mean).toBeCloseTo(rate!.error / rate!.mean, 10);
});
