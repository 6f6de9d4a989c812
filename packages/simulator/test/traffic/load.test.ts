import { describe, expect, test } from 'vitest';
import {
  computePeakRate,
  computeRate,
  createConstantLoad,
  createNamedLoad,
  type LoadName,
} from '../../src/traffic/load.ts';

describe('rate of predefined loads', () => {
  test.each<[LoadName, number, number | undefined]>([
    ['ramp', 0, 0.5],
    ['ramp', 50, 6.25],
    ['ramp', 99.999, 12],
    ['ramp', 100, undefined],
    ['steady', 42, 6],
    ['overload', 10, 5],
    ['overload', 20, 15],
    ['overload', 99, 15],
    ['idle-tail', 59, 6],
    ['idle-tail', 61, 0],
  ])('of %s after %d s is %d requests/s', (name, seconds, rate) => {
    const actual = computeRate(createNamedLoad(name, 100, 10), seconds);
    if (rate === undefined) expect(actual).toBeUndefined();
    else expect(actual).toBeCloseTo(rate, 2);
  });
});

test('a constant load never ends', () => {
  expect(computeRate(createConstantLoad(3), 0)).toBe(3);
  expect(computeRate(createConstantLoad(3), 1e9)).toBe(3);
  expect(() => createConstantLoad(-1)).toThrow('-1');
});

test('returns the highest rate of all phases', () => {
  expect(computePeakRate(createNamedLoad('ramp', 10, 10))).toBe(12);
  expect(computePeakRate(createConstantLoad(0))).toBe(0);
  expect(computePeakRate([])).toBe(0);
});
