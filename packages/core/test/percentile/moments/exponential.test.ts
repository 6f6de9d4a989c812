import { describe, expect, it } from 'vitest';
import { approximateExp } from '../../../src/percentile/moments/exponential.ts';

describe('approximateExp', () => {
  it('approximates e^x to 1e-7 down to -40 and returns 0 below', () => {
    for (let x = 0; x > -40; x -= 0.0137) {
      expect(Math.abs(approximateExp(x) / Math.exp(x) - 1)).toBeLessThan(1e-7);
    }
    expect(approximateExp(0)).toBe(1);
    expect(approximateExp(-41)).toBe(0);
    expect(approximateExp(Number.NEGATIVE_INFINITY)).toBe(0);
  });
});
