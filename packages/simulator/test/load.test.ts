import { describe, expect, test } from 'vitest';
import { constantLoad, type LoadName, namedLoad, peakRate, rateAt } from '../src/load.ts';

describe('rates of the named loads', () => {
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
  ])('%s after %d s', (name, seconds, rate) => {
    const found = rateAt(namedLoad(name, 100, 10), seconds);
    if (rate === undefined) expect(found).toBeUndefined();
    else expect(found).toBeCloseTo(rate, 2);
  });
});

test('a constant load stays for ever', () => {
  expect(rateAt(constantLoad(3), 0)).toBe(3);
  expect(rateAt(constantLoad(3), 1e9)).toBe(3);
  expect(() => constantLoad(-1)).toThrow('-1');
});

test('the peak is the highest rate of any phase', () => {
  expect(peakRate(namedLoad('ramp', 10, 10))).toBe(12);
  expect(peakRate(constantLoad(0))).toBe(0);
  expect(peakRate([])).toBe(0);
});
