import { Random } from '@org/core';
import { describe, expect, test } from 'vitest';
import { drawInteger, drawValue, type ValueDistribution } from '../../src/input/valueDistribution.ts';

function draw(distribution: ValueDistribution, count = 20_000): number[] {
  const random = new Random(1);
  return Array.from({ length: count }, () => drawValue(distribution, random)).sort((a, b) => a - b);
}

function computeMean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

describe('drawValue', () => {
  test('a log-normal distribution has the given mean and median', () => {
    const values = draw({ mean: 512, median: 400 });
    expect(values[values.length / 2]! / 400).toBeCloseTo(1, 1);
    expect(computeMean(values) / 512).toBeCloseTo(1, 1);
    expect(values[0]).toBeGreaterThan(0);
  });

  test('values are limited to the range', () => {
    const values = draw({ mean: 10, stddev: 5, min: 8, max: 11 });
    expect([values[0], values.at(-1)]).toEqual([8, 11]);
  });

  test('the parts of a mixture have their shares and their own limits', () => {
    const values = draw({
      mean: 0,
      parts: [
        { distribution: { mean: 100, stddev: 10, max: 100 }, weight: 3 },
        { distribution: { mean: 1000 }, weight: 1 },
      ],
    });
    const small = values.filter(value => value < 500);
    expect(small.length / values.length).toBeCloseTo(0.75, 1);
    expect(small.at(-1)).toBe(100);
    expect(values.at(-1)).toBe(1000);
  });
});

test('drawInteger rounds and limits values', () => {
  const random = new Random(1);
  expect(drawInteger({ mean: 2.6 }, 1, random)).toBe(3);
  expect(drawInteger({ mean: 0 }, 1, random)).toBe(1);
  expect(drawInteger({ mean: 50 }, 1, random, 10)).toBe(10);
});
