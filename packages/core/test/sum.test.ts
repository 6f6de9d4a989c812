import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compensatedSum } from '../src/sum.ts';

const CASES: readonly (readonly [name: string, values: readonly number[], sum: number])[] = [
  ['nothing', [], 0],
  ['one value', [-1.5], -1.5],
  ['a small one between large ones', [1e100, 1, -1e100], 1],
  ['Neumaier, where Kahan fails', [1, 1e100, 1, -1e100], 2],
  ['ten tenths', Array(10).fill(0.1), 1],
  ['an overflow', [1e308, 1e308], Infinity],
];

describe('a compensated sum', () => {
  it.each(CASES)('is exact for %s', (_name, values, sum) => {
    expect(compensatedSum(Float64Array.from(values))).toBe(sum);
  });

  it('is of a range, if asked', () => {
    expect(compensatedSum(Float64Array.of(1, 2, 4, 8), 1, 3)).toBe(6);
  });

  it('is what integers give, in any order', () => {
    const part = fc.tuple(fc.integer({ min: -(2 ** 30), max: 2 ** 30 }), fc.integer({ min: -20, max: 20 }));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 100 }), parts => {
        const values = Float64Array.from(parts, ([whole, power]) => whole * 2 ** power);
        const exact = parts.reduce(
          (sum, [whole, power]) => sum + BigInt(whole) * 2n ** BigInt(power + 20),
          0n,
        );
        const sum = compensatedSum(values);
        expect(Math.abs(sum - Number(exact) / 2 ** 20)).toBeLessThanOrEqual(Math.abs(sum) * 2 ** -52);
      }),
    );
  });
});
