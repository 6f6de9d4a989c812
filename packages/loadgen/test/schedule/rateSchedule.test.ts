import { Random } from '@org/core';
import { describe, expect, test } from 'vitest';
import type { ArrivalSchedule } from '../../src/schedule/arrivalSchedule.ts';
import { computeArrivalTime, createRateSchedule } from '../../src/schedule/rateSchedule.ts';
import { computeCriticalDistance, computeDistance } from '../support/kolmogorov.ts';

function take(arrivals: ArrivalSchedule, count: number): number[] {
  return Array.from({ length: count }, () => arrivals.next()!);
}

test('constant arrivals are evenly spaced from 0', () => {
  const arrivals = createRateSchedule({ perSecond: 4, pattern: 'constant' }, new Random(1));
  expect(take(arrivals, 4)).toEqual([0, 250e6, 500e6, 750e6]);
});

test('arrivals are reproducible with a seed', () => {
  const draw = (seed: number) =>
    take(createRateSchedule({ perSecond: 9, pattern: 'poisson' }, new Random(seed)), 50);
  expect(draw(5)).toEqual(draw(5));
  expect(draw(5)).not.toEqual(draw(6));
});

describe('arrivals keep their pattern during a ramp', () => {
  test.each([0, 20])('ramp of %d s', rampS => {
    const arrivals = createRateSchedule({ perSecond: 100, pattern: 'poisson', rampS }, new Random(3));
    const times = take(arrivals, 4000).map(ns => ns / 1e9);
    // The expected number of arrivals up to each time has the gaps of a process of rate 1.
    const expected = times.map(s =>
      rampS > 0 && s < rampS ? (100 * s * s) / (2 * rampS) : 100 * s - 50 * rampS,
    );
    const gaps = expected.map((value, index) => value - (expected[index - 1] ?? 0));
    expect(computeDistance(gaps, x => 1 - Math.exp(-x))).toBeLessThan(computeCriticalDistance(gaps.length));
  });

  test('and have the requested rate', () => {
    const arrivals = createRateSchedule({ perSecond: 50, pattern: 'gamma', smoothness: 3 }, new Random(2));
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
  expect(computeArrivalTime(expected, perSecond, rampS)).toBeCloseTo(seconds, 12);
});

test.each([0, -1, Number.NaN, 2e6])('rejects a rate of %d', perSecond => {
  expect(() => createRateSchedule({ perSecond, pattern: 'constant' }, new Random(1))).toThrow(
    /request rate is .*; expected a number above 0/,
  );
});
