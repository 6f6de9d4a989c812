import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  computeCompensatedSum,
  computeMean,
  computeStandardDeviation,
  findExtremes,
} from '../../src/statistics/descriptive.ts';

const anyDoubles = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), {
  minLength: 1,
  maxLength: 60,
});

describe('computeMean', () => {
  it('returns exactly the value of a constant', () => {
    for (const value of [0.1, 1e308, 5e-324, -0.3]) {
      expect(computeMean(new Float64Array(1000).fill(value))).toBe(value);
    }
  });

  it('is between the smallest and the largest value', () => {
    fc.assert(
      fc.property(anyDoubles, values => {
        const average = computeMean(Float64Array.from(values));
        expect(average).toBeGreaterThanOrEqual(Math.min(...values));
        expect(average).toBeLessThanOrEqual(Math.max(...values));
      }),
    );
  });

  it('does not overflow', () => {
    expect(computeMean(Float64Array.of(1.7e308, 1.7e308, 1.6e308)) / 1e308).toBeCloseTo(5 / 3, 14);
  });

  it('accepts a range', () => {
    expect(computeMean(Float64Array.of(100, 1, 2, 100), 1, 3)).toBe(1.5);
  });
});

describe('computeStandardDeviation', () => {
  it.each([
    ['one value', [5], 0],
    ['a constant', Array(777).fill(0.1), 0],
    ['two values', [1, 3], Math.SQRT2],
    ['values whose squares overflow', [1e200, -1e200], Math.SQRT2 * 1e200],
    ['values whose squares underflow', [1e-200, -1e-200], Math.SQRT2 * 1e-200],
    ['the smallest values', [0, 5e-324], 5e-324],
  ])('is correct for %s', (_name, values, expected) => {
    const std = computeStandardDeviation(Float64Array.from(values));
    expect(Math.abs(std - expected)).toBeLessThanOrEqual(expected * 1e-15);
  });

  it('matches the definition for values far from 0', () => {
    // Multiples of 2^-10 plus a large base: all values and sums are exact.
    const steps = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 2, maxLength: 50 });
    const base = fc.integer({ min: 0, max: 2 ** 40 });
    fc.assert(
      fc.property(base, steps, (from, deviations) => {
        const count = BigInt(deviations.length);
        const sum = deviations.reduce((total, step) => total + BigInt(step), 0n);
        const squares = deviations.reduce((total, step) => total + BigInt(step * step), 0n);
        const variance = Number(count * squares - sum * sum) / Number(count * (count - 1n));
        const std = computeStandardDeviation(Float64Array.from(deviations, step => from + step / 1024));
        expect(Math.abs(std - Math.sqrt(variance) / 1024)).toBeLessThanOrEqual(std * 1e-13);
      }),
    );
  });

  it('is exact near 1e15, where doubles are 1/8 apart', () => {
    const values = Float64Array.of(1e15, 1e15 + 0.125, 1e15 + 0.25, 1e15 + 0.375);
    expect(computeStandardDeviation(values)).toBeCloseTo(0.16137430609197573, 15);
  });
});

describe('findExtremes', () => {
  it('returns the smallest and the largest value of a range', () => {
    const values = Float64Array.of(-9, 3, 1, 2, 9);
    expect(findExtremes(values)).toEqual({ min: -9, max: 9 });
    expect(findExtremes(values, 1, 4)).toEqual({ min: 1, max: 3 });
  });
});

const CASES: readonly (readonly [name: string, values: readonly number[], sum: number])[] = [
  ['no values', [], 0],
  ['one value', [-1.5], -1.5],
  ['a small value between large values', [1e100, 1, -1e100], 1],
  ['a sum for which Kahan summation fails', [1, 1e100, 1, -1e100], 2],
  ['ten times 0.1', Array(10).fill(0.1), 1],
  ['an overflow', [1e308, 1e308], Infinity],
];

describe('computeCompensatedSum', () => {
  it.each(CASES)('returns the correct sum of %s', (_name, values, sum) => {
    expect(computeCompensatedSum(Float64Array.from(values))).toBe(sum);
  });

  it('accepts a range', () => {
    expect(computeCompensatedSum(Float64Array.of(1, 2, 4, 8), 1, 3)).toBe(6);
  });

  it('equals the sum computed with big integers', () => {
    const term = fc.tuple(fc.integer({ min: -(2 ** 30), max: 2 ** 30 }), fc.integer({ min: -20, max: 20 }));
    fc.assert(
      fc.property(fc.array(term, { maxLength: 100 }), terms => {
        const values = Float64Array.from(terms, ([mantissa, power]) => mantissa * 2 ** power);
        const exact = terms.reduce(
          (sum, [mantissa, power]) => sum + BigInt(mantissa) * 2n ** BigInt(power + 20),
          0n,
        );
        const sum = computeCompensatedSum(values);
        expect(Math.abs(sum - Number(exact) / 2 ** 20)).toBeLessThanOrEqual(Math.abs(sum) * 2 ** -52);
      }),
    );
  });
});
