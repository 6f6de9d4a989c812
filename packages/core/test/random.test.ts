import { describe, expect, test } from 'vitest';
import { hashText, Random } from '../src/random.ts';

const DRAW_COUNT = 40_000;

function estimateMoments(drawOne: () => number): { mean: number; variance: number } {
  const values = Array.from({ length: DRAW_COUNT }, drawOne);
  const mean = values.reduce((sum, value) => sum + value, 0) / DRAW_COUNT;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (DRAW_COUNT - 1);
  return { mean, variance };
}

describe('distributions have the expected mean and variance', () => {
  test.each([
    ['uniform', (r: Random) => r.next(), 1 / 2, 1 / 12],
    ['uniform', (r: Random) => r.uniform(-2, 4), 1, 3],
    ['exponential', (r: Random) => r.exponential(3), 3, 9],
    ['normal', (r: Random) => r.normal(), 0, 1],
    ['lognormal', (r: Random) => Math.log(r.lognormal(5, 0.7)), Math.log(5), 0.49],
    ['gamma', (r: Random) => r.gamma(2.5, 2), 5, 10],
    ['gamma below shape 1', (r: Random) => r.gamma(0.5, 4), 2, 8],
    ['chance', (r: Random) => Number(r.chance(0.3)), 0.3, 0.21],
    ['below', (r: Random) => r.below(5), 2, 2],
  ] as const)('%s', (_, drawOne, mean, variance) => {
    const random = new Random(11);
    const moments = estimateMoments(() => drawOne(random));
    // Allows five standard errors of the mean, and 10% for the variance.
    expect(Math.abs(moments.mean - mean)).toBeLessThan(5 * Math.sqrt(variance / DRAW_COUNT));
    expect(moments.variance / variance).toBeGreaterThan(0.9);
    expect(moments.variance / variance).toBeLessThan(1.1);
  });
});

test('produces the same numbers only for the same seed', () => {
  const drawNumbers = (seed: number): number[] => {
    const random = new Random(seed);
    return Array.from({ length: 20 }, () => random.next());
  };
  expect(drawNumbers(1)).toEqual(drawNumbers(1));
  expect(drawNumbers(1)).not.toEqual(drawNumbers(2));
});

test('seeds that differ only in their upper bits give different numbers', () => {
  const seeds = [5, 2 ** 32 + 5, 2 ** 33 + 5, Number.MAX_SAFE_INTEGER];
  expect(new Set(seeds.map(seed => new Random(seed).next())).size).toBe(seeds.length);
  expect(new Set(seeds.map(seed => hashText('a', seed))).size).toBe(seeds.length);
  expect(new Random(2 ** 33 + 5).next()).toBe(new Random(2 ** 33 + 5).next());
});

test('a fork depends only on purpose and seed, not on earlier draws', () => {
  const fresh = new Random(5);
  const used = new Random(5);
  used.next();
  expect(fresh.fork('lengths').next()).toBe(used.fork('lengths').next());
  expect(fresh.fork('lengths').next()).not.toBe(fresh.fork('times').next());
});

test('hashText spreads similar strings', () => {
  const parts = Array.from({ length: 1000 }, (_, i) => hashText(`text ${i}`) >>> 24);
  expect(new Set(parts).size).toBeGreaterThan(230);
  expect(hashText('a', 1)).not.toBe(hashText('a', 2));
});
