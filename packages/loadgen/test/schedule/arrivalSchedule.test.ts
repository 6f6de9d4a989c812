import { Random } from '@org/core';
import { jStat } from 'jstat';
import { describe, expect, test } from 'vitest';
import {
  type ArrivalSchedule,
  createFixedSchedule,
  createGapSource,
  createRateSchedule,
} from '../../src/schedule/arrivalSchedule.ts';
import { computeCriticalDistance, computeDistance } from '../support/kolmogorov.ts';

test('returns times in ns, then undefined', () => {
  const arrivals = createFixedSchedule([0, 0, 1.5]);
  expect([arrivals.next(), arrivals.next(), arrivals.next(), arrivals.next()]).toEqual([
    0,
    0,
    1.5e6,
    undefined,
  ]);
});

test.each([[[5, 4]], [[-1]], [[Number.NaN]]])('rejects %j', times => {
  expect(() => createFixedSchedule(times)).toThrow(/invalid fixed schedule: entry \d is at/);
});

function takeTimes(arrivals: ArrivalSchedule, count: number): number[] {
  return Array.from({ length: count }, () => arrivals.next()!);
}

test('constant arrivals are evenly spaced from 0', () => {
  const arrivals = createRateSchedule({ perSecond: 4, pattern: 'constant' }, new Random(1));
  expect(takeTimes(arrivals, 4)).toEqual([0, 250e6, 500e6, 750e6]);
});

test('arrivals are reproducible with a seed', () => {
  const drawTimes = (seed: number) =>
    takeTimes(createRateSchedule({ perSecond: 9, pattern: 'poisson' }, new Random(seed)), 50);
  expect(drawTimes(5)).toEqual(drawTimes(5));
  expect(drawTimes(5)).not.toEqual(drawTimes(6));
});

describe('arrivals', () => {
  test.each([0, 20])('keep their pattern with a ramp of %d s', rampS => {
    const arrivals = createRateSchedule({ perSecond: 100, pattern: 'poisson', rampS }, new Random(3));
    const times = takeTimes(arrivals, 4000).map(ns => ns / 1e9);
    // Measured in expected arrivals instead of seconds, the arrivals form a Poisson process with a rate of 1.
    const expected = times.map(s =>
      rampS > 0 && s < rampS ? (100 * s * s) / (2 * rampS) : 100 * s - 50 * rampS,
    );
    const gaps = expected.map((value, index) => value - (expected[index - 1] ?? 0));
    expect(computeDistance(gaps, x => 1 - Math.exp(-x))).toBeLessThan(computeCriticalDistance(gaps.length));
  });

  test('have the requested rate', () => {
    const arrivals = createRateSchedule({ perSecond: 50, pattern: 'gamma', smoothness: 3 }, new Random(2));
    expect(takeTimes(arrivals, 5000).at(-1)! / 1e9).toBeCloseTo(100, -1);
  });
});

test('arrivals follow a series of rates after the ramp', () => {
  const series = [
    { timeS: 0, perSecond: 2 },
    { timeS: 4, perSecond: 4 },
  ];
  const arrivals = createRateSchedule({ perSecond: 2, pattern: 'constant', rampS: 1, series }, new Random(1));
  const times = takeTimes(arrivals, 18).map(ns => ns / 1e9);
  // 1 arrival within the ramp, 12 within the 4 s of the series, then 4 per second.
  expect([times[1], times[13], times[17]]).toEqual([1, 5, 6]);
});

test.each([0, -1, Number.NaN, 2e6])('rejects a rate of %d', perSecond => {
  expect(() => createRateSchedule({ perSecond, pattern: 'constant' }, new Random(1))).toThrow(
    /request rate is .*; expected a number greater than 0/,
  );
});

const SIZE = 5000;

describe('gaps follow their distribution (Kolmogorov-Smirnov test at 1%)', () => {
  test.each([
    ['poisson', 1, (x: number) => 1 - Math.exp(-x)],
    ['gamma', 0.3, (x: number) => jStat.gamma.cdf(x, 0.3, 1 / 0.3)],
    ['gamma', 1, (x: number) => 1 - Math.exp(-x)],
    ['gamma', 4, (x: number) => jStat.gamma.cdf(x, 4, 1 / 4)],
  ] as const)('%s, smoothness %d', (pattern, smoothness, cdf) => {
    for (const seed of [1, 2, 3]) {
      const drawGap = createGapSource(pattern, smoothness, new Random(seed));
      const sample = Array.from({ length: SIZE }, drawGap);
      expect(computeDistance(sample, cdf)).toBeLessThan(computeCriticalDistance(SIZE));
    }
  });

  test('the test detects a different distribution', () => {
    const drawGap = createGapSource('gamma', 0.8, new Random(1));
    const sample = Array.from({ length: SIZE }, drawGap);
    expect(computeDistance(sample, x => 1 - Math.exp(-x))).toBeGreaterThan(computeCriticalDistance(SIZE));
  });
});

test('constant gaps are 1', () => {
  const drawGap = createGapSource('constant', 1, new Random(1));
  expect([drawGap(), drawGap()]).toEqual([1, 1]);
});

test.each([
  ['uniform', 1, 'arrival pattern is "uniform"; expected one of constant, poisson, gamma'],
  ['gamma', 0, 'smoothness is 0; expected a number of at least 0.001'],
  ['gamma', Number.NaN, 'smoothness is NaN'],
])('rejects %s with smoothness %d', (pattern, smoothness, message) => {
  expect(() => createGapSource(pattern as 'gamma', smoothness, new Random(1))).toThrow(message);
});
