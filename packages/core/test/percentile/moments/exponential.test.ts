import { describe, expect, it } from 'vitest';
import { decay } from '../../../src/percentile/moments/exponential.ts';

describe('decay', () => {
  it('is e^x to 1e-7 down to -40, and then 0', () => {
    for (let x = 0; x > -40; x -= 0.0137) {
      expect(Math.abs(decay(x) / Math.exp(x) - 1)).toBeLessThan(1e-7);
    }
    expect(decay(0)).toBe(1);
    expect(decay(-41)).toBe(0);
    expect(decay(Number.NEGATIVE_INFINITY)).toBe(0);
  });
});
