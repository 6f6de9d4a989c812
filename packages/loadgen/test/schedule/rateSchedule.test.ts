import { Random } from '@org/core';
import { describe, expect, test } from 'vitest';
import type { Arrivals } from '../../src/schedule/arrivalSchedule.ts';
import { rateArrivals, timeOf } from '../../src/schedule/rateSchedule.ts';
import { critical, distance } from '../support/kolmogorov.ts';

function take(arrivals: Arrivals, count: number): number[] {
  return Array.from({ length: count }, () => arrivals.next()!);
}

test('constant arrivals lie on a grid that begins at 0', () => {
  const arrivals = rateArrivals({ perSecond: 4, pattern: 'constant' }, new Random(1));
  expect(take(arrivals, 4)).toEqual([0, 250e6, 500e6, 750e6]);
});

test('a seed gives the same arrivals, another one others', () => {
  const of = (seed: number) => take(rateArrivals({ perSecond: 9, pattern: 'poisson' }, new Random(seed)), 50);
  expect(of(5)).toEqual(of(5));
  expect(of(5)).not.toEqual(of(6));
});

describe('arrivals keep their pattern while the rate rises', () => {
  test.each([0, 20])('ramp of %d s', rampS => {
    const arrivals = rateArrivals({ perSecond: 100, pattern: 'poisson', rampS }, new Random(3));
    const times = take(arrivals, 4000).map(ns => ns / 1e9);
    // Expected arrivals until each time: its gaps are those of a process of rate 1.
    const expected = times.map(s =>
      rampS > 0 && s < rampS ? (100 * s * s) / (2 * rampS) : 100 * s - 50 * rampS,
    );
    const gaps = expected.map((value, index) => value - (expected[index - 1] ?? 0));
    expect(distance(gaps, x => 1 - Math.exp(-x))).toBeLessThan(critical(gaps.length));
  });

  test('and come in the numbers that the rate says', () => {
    const arrivals = rateArrivals({ perSecond: 50, pattern: 'gamma', smoothness: 3 }, new Random(2));
    expect(take(arrivals, 5000).at(-1)! / 1e9).toBeCloseTo(100, -1);
  });
});

test.each([
  [0, 100, 10, 0],
  [125, 100, 10, 5],
  [500, 100, 10, 10],
  [600, 100, 10, 11],
  [7, 2, 0, 3.5],
])('%d arrivals at %d/s with a ramp of %d s take %d s', (expected, perSecond, rampS, seconds) => {
  expect(timeOf(expected, perSecond, rampS)).toBeCloseTo(seconds, 12);
});

test.each([0, -1, Number.NaN, 2e6])('refuses a rate of %d', perSecond => {
  expect(() => rateArrivals({ perSecond, pattern: 'constant' }, new Random(1))).toThrow(
    /request rate is .*; a number above 0/,
  );
});
