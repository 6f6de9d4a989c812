import { describe, expect, test } from 'vitest';
import { type MatchedSeries, matchSeries } from '../../src/compare/matchSeries.ts';
import { resolveSettings } from '../../src/compare/settings.ts';
import { compareStat, isTested, type StatComparison } from '../../src/compare/statComparison.ts';
import { createCounter, createMetric } from '../documents.ts';
import { createTestRun, varySlices } from './runs.ts';

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
