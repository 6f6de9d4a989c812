import { describe, expect, test } from 'vitest';
import { type MatchedSeries, matchSeries } from '../../../src/compare/matching/matchSeries.ts';
import { resolveSettings } from '../../../src/compare/settings.ts';
import {
  compareStat,
  isTested,
  type RowTest,
  type StatComparison,
} from '../../../src/compare/significance/statComparison.ts';
import { createCounter, createHistogram, createMetric } from '../../documents.ts';
import { compareRows, createTestRun, varySlices } from '../runs.ts';
import { addNoise, createTrend } from '../slices.ts';

describe('the correction of p-values', () => {
  const compareCounters = (base: object, other: object): StatComparison => {
    const runs = [base, other].map(entry => createTestRun({ name: createMetric('counter', [entry]) }));
    const [{ values, ...match }] = [...matchSeries(runs).matches] as [MatchedSeries];
    return compareStat(
      { ...match, values },
      [values.slice(0, 1), values.slice(1)],
      'rate',
      resolveSettings({}),
      { seconds: [[20], [20]], differ: false, haveDifferentWindows: false },
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

test.each<[string, number[], number[], RowTest, 'worse' | 'no evidence']>([
  ['a collapse in the last quarter', createTrend(30, 1, 1), createEnd(8), 'late', 'worse'],
  ['two collapses, one of them steeper', createTrend(30, 1, 20), createTrend(30, 1, 40), 'growth', 'worse'],
  ['two equal collapses', createTrend(30, 1, 20), createTrend(30, 1.2, 20), 'growth', 'no evidence'],
])('compares drifting runs: %s', (_, base, other, test, verdict) => {
  const [from, to] = [base, other].map(values => {
    const slices = addNoise(values);
    const mean = slices.reduce((sum, value) => sum + value, 0) / slices.length;
    const latencies = createHistogram(100 * slices.length, mean, { slices });
    return createTestRun({ request_latency_seconds: createMetric('histogram', [latencies], 'seconds') });
  });
  const row = compareRows(from!, to!).find(({ stat }) => stat === 'avg');
  expect(row).toMatchObject({ test, verdict });
  // The end of a run does not tell how uncertain its mean is.
  if (test === 'late') expect(row!.noise).toBeNull();
});

function createEnd(count: number): number[] {
  return [...createTrend(30 - count, 1, 1), ...createTrend(count, 5, 40)];
}
