import { Random } from '@org/core';
import { jStat } from 'jstat';
import { describe, expect, test } from 'vitest';
import { gapsOf } from '../../src/schedule/arrivalPattern.ts';
import { critical, distance } from '../support/kolmogorov.ts';

const SIZE = 5000;

describe('gaps follow their distribution (Kolmogorov-Smirnov, 1 %)', () => {
  test.each([
    ['poisson', 1, (x: number) => 1 - Math.exp(-x)],
    ['gamma', 0.3, (x: number) => jStat.gamma.cdf(x, 0.3, 1 / 0.3)],
    ['gamma', 1, (x: number) => 1 - Math.exp(-x)],
    ['gamma', 4, (x: number) => jStat.gamma.cdf(x, 4, 1 / 4)],
  ] as const)('%s, smoothness %d', (pattern, smoothness, cdf) => {
    for (const seed of [1, 2, 3]) {
      const gap = gapsOf(pattern, smoothness, new Random(seed));
      const sample = Array.from({ length: SIZE }, gap);
      expect(distance(sample, cdf)).toBeLessThan(critical(SIZE));
    }
  });

  test('which tells one pattern from another', () => {
    const gap = gapsOf('gamma', 0.8, new Random(1));
    const sample = Array.from({ length: SIZE }, gap);
    expect(distance(sample, x => 1 - Math.exp(-x))).toBeGreaterThan(critical(SIZE));
  });
});

test('constant gaps are one', () => {
  const gap = gapsOf('constant', 1, new Random(1));
  expect([gap(), gap()]).toEqual([1, 1]);
});

test.each([
  ['uniform', 1, 'arrival pattern is "uniform"; constant, poisson, gamma are accepted'],
  ['gamma', 0, 'smoothness is 0; a number above 0 is accepted'],
  ['gamma', Number.NaN, 'smoothness is NaN'],
])('refuses %s with smoothness %d', (pattern, smoothness, message) => {
  expect(() => gapsOf(pattern as 'gamma', smoothness, new Random(1))).toThrow(message);
});
