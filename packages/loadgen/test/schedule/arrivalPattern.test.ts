import { Random } from '@org/core';
import { jStat } from 'jstat';
import { describe, expect, test } from 'vitest';
import { createGapSource } from '../../src/schedule/arrivalPattern.ts';
import { computeCriticalDistance, computeDistance } from '../support/kolmogorov.ts';

const SIZE = 5000;

describe('gaps follow their distribution (Kolmogorov-Smirnov test at 1%)', () => {
  test.each([
    ['poisson', 1, (x: number) => 1 - Math.exp(-x)],
    ['gamma', 0.3, (x: number) => jStat.gamma.cdf(x, 0.3, 1 / 0.3)],
    ['gamma', 1, (x: number) => 1 - Math.exp(-x)],
    ['gamma', 4, (x: number) => jStat.gamma.cdf(x, 4, 1 / 4)],
  ] as const)('%s, smoothness %d', (pattern, smoothness, cdf) => {
    for (const seed of [1, 2, 3]) {
      const gap = createGapSource(pattern, smoothness, new Random(seed));
      const sample = Array.from({ length: SIZE }, gap);
      expect(computeDistance(sample, cdf)).toBeLessThan(computeCriticalDistance(SIZE));
    }
  });

  test('the test detects a different distribution', () => {
    const gap = createGapSource('gamma', 0.8, new Random(1));
    const sample = Array.from({ length: SIZE }, gap);
    expect(computeDistance(sample, x => 1 - Math.exp(-x))).toBeGreaterThan(computeCriticalDistance(SIZE));
  });
});

test('constant gaps are 1', () => {
  const gap = createGapSource('constant', 1, new Random(1));
  expect([gap(), gap()]).toEqual([1, 1]);
});

test.each([
  ['uniform', 1, 'arrival pattern is "uniform"; expected one of constant, poisson, gamma'],
  ['gamma', 0, 'smoothness is 0; expected a number above 0'],
  ['gamma', Number.NaN, 'smoothness is NaN'],
])('rejects %s with smoothness %d', (pattern, smoothness, message) => {
  expect(() => createGapSource(pattern as 'gamma', smoothness, new Random(1))).toThrow(message);
});
