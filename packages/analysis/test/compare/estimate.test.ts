import { describe, expect, test } from 'vitest';
import {
  estimateFromRuns,
  estimateFromSlices,
  estimateSingle,
  MIN_SLICES,
} from '../../src/compare/estimate.ts';
import { correctPValues, mannWhitneyTest, welchTest } from '../../src/compare/significance.ts';

/** Mulberry32: a small generator with a seed, so that a simulation repeats. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A series whose neighbours are alike: x' = phi x + noise, with this mean and deviation. */
function alike(next: () => number, length: number, phi: number, mean: number, deviation: number): number[] {
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  let state = normal();
  return Array.from({ length }, () => {
    const value = mean + deviation * state;
    state = phi * state + Math.sqrt(1 - phi * phi) * normal();
    return value;
  });
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function estimate(values: readonly number[]): NonNullable<ReturnType<typeof estimateFromSlices>> {
  return estimateFromSlices(meanOf(values), values)!;
}

/** How often equal simulated runs are found different at alpha 0.05. */
function called(length: number, phi: number, base: number, other: number, runs = 600): number {
  const next = random(7);
  let different = 0;
  for (let i = 0; i < runs; i++) {
    const a = estimate(alike(next, length, phi, base, 5));
    const b = estimate(alike(next, length, phi, other, 5));
    if (welchTest(a, b).p! < 0.05) different++;
  }
  return different / runs;
}

describe('correlated timeslices', () => {
  test.each([
    [8, 0],
    [8, 0.6],
    [30, 0],
    [30, 0.6],
    [30, 0.9],
    [120, 0.8],
  ])('%i slices with r = %d: finds no difference between equal runs', (length, phi) => {
    expect(called(length, phi, 100, 100)).toBeLessThan(0.08);
  });

  test.each([
    [30, 0, 0.99],
    [30, 0.6, 0.6],
    [120, 0.8, 0.95],
  ])('%i slices with r = %d: finds a change of two deviations', (length, phi, power) => {
    expect(called(length, phi, 100, 90)).toBeGreaterThan(power);
  });

  test('would find a difference in every third pair without the correction', () => {
    const next = random(7);
    let different = 0;
    for (let i = 0; i < 600; i++) {
      const [a, b] = [0, 1].map(() => estimateFromRuns(alike(next, 30, 0.8, 100, 5)));
      if (welchTest(a!, b!).p! < 0.05) different++;
    }
    expect(different / 600).toBeGreaterThan(0.3);
  });

  test('returns nothing for fewer than 8 slices', () => {
    expect(estimateFromSlices(1, new Array(MIN_SLICES - 1).fill(1))).toBeNull();
  });

  test('returns no error for a constant', () => {
    expect(estimateFromSlices(3, new Array(9).fill(3))).toMatchObject({ mean: 3, error: 0, values: 9 });
  });

  test('ignores slices without observations', () => {
    const values = [1, 2, 1, 2, 1, 2, 1, 2, 1, 2];
    const weighted = estimateFromSlices(1.5, [...values, 100, 100], [...values.map(() => 5), 0, 0])!;
    expect(weighted.deviation).toBeLessThan(1);
  });
});

// Figures of scipy.stats 1.17: ttest_ind(equal_var=False), mannwhitneyu(method='exact' | 'asymptotic').
test.each([
  [[1, 2, 3, 4, 5], [3, 4, 5, 6, 7], 0.08052],
  [[10, 11, 9, 10.5], [20, 21, 19, 35], 0.03555],
  [[1, 1.1], [1.05, 1.2], 0.50384],
])('Welch: %j against %j', (a, b, p) => {
  expect(welchTest(estimateFromRuns(a), estimateFromRuns(b)).p).toBeCloseTo(p, 4);
});

test.each([
  [[1, 2, 3], [4, 5, 6], 0.1, 1],
  [[1, 2, 3, 4, 5], [3.5, 4.5, 5.5, 6.5, 7.5], 0.0556, 0.76],
  [[5, 6, 7], [1, 2], 0.2, -1],
  [[1, 1, 2, 2, 3], [2, 3, 3, 4, 4], 0.0524, 0.76],
  [[1, 1], [1, 1], 1, 0],
])('Mann-Whitney: %j against %j', (a, b, p, effect) => {
  const result = mannWhitneyTest(a, b);
  expect(result.p).toBeCloseTo(p, 3);
  expect(result.effect).toBeCloseTo(effect, 5);
});

test('tests no single values, and is certain about constants', () => {
  expect(welchTest(estimateSingle(1), estimateFromRuns([1, 2]))).toEqual({
    p: null,
    margin: null,
    effect: null,
  });
  expect(welchTest(estimateFromRuns([1, 1]), estimateFromRuns([1, 1])).p).toBe(1);
  expect(welchTest(estimateFromRuns([1, 1]), estimateFromRuns([2, 2])).p).toBe(0);
});

// Figures of R's p.adjust.
test.each<['bh' | 'holm' | 'none', number[]]>([
  ['bh', [0.04, 0.05, 0.053333, 0.8]],
  ['holm', [0.04, 0.075, 0.08, 0.8]],
  ['none', [0.01, 0.025, 0.04, 0.8]],
])('%s', (correction, expected) => {
  const values = correctPValues([0.01, 0.025, 0.04, 0.8], correction);
  values.forEach((value, i) => {
    expect(value).toBeCloseTo(expected[i]!, 5);
  });
  expect(correctPValues([], correction)).toEqual([]);
});
