import { Random } from '@org/core';
import { describe, expect, test } from 'vitest';
import {
  computePercentile,
  computeRankError,
  Distribution,
  PERCENTILES,
} from '../../src/metrics/distribution.ts';

function createDistribution(values: Iterable<number>, limit?: number): Distribution {
  const distribution = new Distribution(limit);
  for (const value of values) distribution.add(value);
  return distribution;
}

test('returns no statistics for an empty distribution', () => {
  expect(new Distribution().computeStats()).toBeUndefined();
});

test('returns the statistics of one value', () => {
  const stats = createDistribution([3]).computeStats();
  expect(stats).toMatchObject({ avg: 3, min: 3, max: 3, p1: 3, p50: 3, p99: 3, std: 0, count: 1, sum: 3 });
});

test('matches numpy.percentile and numpy.std(ddof=1)', () => {
  // np.percentile([15, 20, 35, 40, 50], [1, 5, 10, 25, 50, 75, 90, 95, 99])
  const stats = createDistribution([50, 15, 40, 20, 35]).computeStats()!;
  const expected = [15.2, 16, 17, 20, 35, 40, 46, 48, 49.6];
  for (const [index, percentile] of PERCENTILES.entries())
    expect(stats[`p${percentile}`]).toBeCloseTo(expected[index]!, 10);
  expect(stats.std).toBeCloseTo(14.40486, 5);
  expect(stats).toMatchObject({ avg: 32, sum: 160, count: 5, min: 15, max: 50 });
  expect(stats).not.toHaveProperty('percentile_method');
});

test('adds small and large values without rounding errors', () => {
  expect(createDistribution([1e16, 1, 1, 1, -1e16]).sum).toBe(3);
});

const random = new Random(5);
const SHAPES: Readonly<Record<string, () => number>> = {
  uniform: () => random.next(),
  exponential: () => random.exponential(20),
  'log-normal': () => Math.exp(2 + random.normal()),
  'two peaks': () => (random.next() < 0.5 ? 10 : 1000) + random.normal(),
  'few values': () => Math.floor(random.next() * 12),
  ascending: (
    (index = 0) =>
    () =>
      index++
  )(),
  descending: (
    (index = 0) =>
    () =>
      index--
  )(),
  'one frequent value': () => (random.next() < 0.3 ? 0 : random.exponential(20)),
};

describe('above the limit for exact percentiles', () => {
  test.each(Object.entries(SHAPES))('keeps percentiles within the stated rank error: %s', (_, draw) => {
    const values = Array.from({ length: 60_000 }, draw);
    const stats = createDistribution(values, 1000).computeStats()!;
    const sorted = Float64Array.from(values).sort();
    for (const percentile of PERCENTILES) {
      const q = percentile / 100;
      const error = computeRankError(q);
      const lowest = computePercentile(sorted, Math.max(0, 100 * (q - error)));
      const highest = computePercentile(sorted, Math.min(100, 100 * (q + error)));
      expect(stats[`p${percentile}`], `p${percentile}`).toBeGreaterThanOrEqual(lowest);
      expect(stats[`p${percentile}`], `p${percentile}`).toBeLessThanOrEqual(highest);
    }
    expect(stats.percentile_method).toBe('t-digest');
    expect(stats.percentile_rank_error).toBe(0.01);
  });

  test('computes all other statistics exactly, and does not keep the values', () => {
    const values = Array.from({ length: 20_000 }, SHAPES.exponential!);
    const exact = createDistribution(values).computeStats()!;
    const bounded = createDistribution(values, 100);
    expect(bounded.values).toBeUndefined();
    for (const stat of ['avg', 'min', 'max', 'std', 'sum', 'count'] as const)
      expect(bounded.computeStats()![stat]).toBe(exact[stat]);
  });
});
