import { describe, expect, test } from 'vitest';
import { estimateFromRuns, estimateFromSlices, MIN_SLICES } from '../../../src/compare/noise/estimate.ts';
import { runWelchTest } from '../../../src/compare/significance/significance.ts';

/** Creates a seeded random number generator (mulberry32), so that simulations are reproducible. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Creates a series of correlated values, x' = phi x + noise, with this mean and standard deviation. */
function createCorrelatedSeries(
  next: () => number,
  length: number,
  phi: number,
  mean: number,
  deviation: number,
): number[] {
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  let state = normal();
  return Array.from({ length }, () => {
    const value = mean + deviation * state;
    state = phi * state + Math.sqrt(1 - phi * phi) * normal();
    return value;
  });
}

function computeMean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function estimateSlices(values: readonly number[]): NonNullable<ReturnType<typeof estimateFromSlices>> {
  return estimateFromSlices(computeMean(values), values)!;
}

/** Computes the fraction of pairs of simulated runs whose difference is significant at alpha 0.05. */
function computeSignificantFraction(
  length: number,
  phi: number,
  base: number,
  other: number,
  runs = 600,
): number {
  const next = createRandom(7);
  let differenceCount = 0;
  for (let i = 0; i < runs; i++) {
    const a = estimateSlices(createCorrelatedSeries(next, length, phi, base, 5));
    const b = estimateSlices(createCorrelatedSeries(next, length, phi, other, 5));
    if (runWelchTest(a, b).p! < 0.05) differenceCount++;
  }
  return differenceCount / runs;
}

describe('correlated timeslices', () => {
  test.each([
    [8, 0],
    [8, 0.6],
    [30, 0],
    [30, 0.6],
    [30, 0.9],
    [120, 0.8],
  ])('%i slices with r = %d: finds a difference in less than 8% of equal pairs', (length, phi) => {
    expect(computeSignificantFraction(length, phi, 100, 100)).toBeLessThan(0.08);
  });

  test.each([
    [30, 0, 0.99],
    [30, 0.6, 0.6],
    [120, 0.8, 0.95],
  ])('%i slices with r = %d: detects a change of two standard deviations', (length, phi, power) => {
    expect(computeSignificantFraction(length, phi, 100, 90)).toBeGreaterThan(power);
  });

  test('without the correction, more than 30% of equal pairs differ', () => {
    const next = createRandom(7);
    let differenceCount = 0;
    for (let i = 0; i < 600; i++) {
      const [a, b] = [0, 1].map(() => estimateFromRuns(createCorrelatedSeries(next, 30, 0.8, 100, 5)));
      if (runWelchTest(a!, b!).p! < 0.05) differenceCount++;
    }
    expect(differenceCount / 600).toBeGreaterThan(0.3);
  });

  test('returns null for fewer than 8 slices', () => {
    expect(estimateFromSlices(1, new Array(MIN_SLICES - 1).fill(1))).toBeNull();
  });

  test('returns an error of 0 for a constant', () => {
    expect(estimateFromSlices(3, new Array(9).fill(3))).toMatchObject({ mean: 3, error: 0, values: 9 });
  });

  test('ignores slices without observations', () => {
    const values = [1, 2, 1, 2, 1, 2, 1, 2, 1, 2];
    const weighted = estimateFromSlices(1.5, [...values, 100, 100], [...values.map(() => 5), 0, 0])!;
    expect(weighted.deviation).toBeLessThan(1);
  });
});
