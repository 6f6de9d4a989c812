import { describe, expect, it } from 'vitest';
import { findDescent, getRoundingError, isAtMost, isNear } from '../../src/rules/tolerance.ts';

describe('getRoundingError', () => {
  it.each([
    [0.044, 0.00044],
    [12.5, 0.05],
    [120, 0.5],
    [0, 0],
    [-0.5, 0.005],
  ])('%d has a rounding error of %d', (value, expected) => {
    expect(getRoundingError(value)).toBeCloseTo(expected, 12);
  });
});

describe('isNear', () => {
  it.each([
    ['equal numbers', 1.5, 1.5, 0, true],
    ['a rounded number', 0.044, 2.21 / 50, 0, true],
    ['a number outside its rounding', 0.05, 2.21 / 50, 0, false],
    ['a number within the slack', 10, 12, 2, true],
    ['floating-point noise', 0.1 + 0.2, 0.3, 0, true],
  ])('compares %s', (_, found, expected, slack, near) => {
    expect(isNear(found, expected, slack)).toBe(near);
  });
});

describe('isAtMost', () => {
  it.each([
    [1, 2, true],
    [2, 1, false],
    [0.1 + 0.2, 0.3, true],
    [Number.NEGATIVE_INFINITY, 0, true],
  ])('%d <= %d is %s', (a, b, expected) => {
    expect(isAtMost(a, b)).toBe(expected);
  });
});

describe('findDescent', () => {
  it('returns the first value that is less than its predecessor, with the predecessor', () => {
    const values = [
      ['min', 1],
      ['p50', 3],
      ['p90', 2],
      ['max', 1],
    ] as const;
    expect(findDescent(values)).toEqual({ before: ['p50', 3], after: ['p90', 2] });
  });

  it('returns undefined for values that do not decrease', () => {
    expect(findDescent([['min', 1] as const, ['max', 1] as const])).toBeUndefined();
  });
});
