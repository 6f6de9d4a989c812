import { describe, expect, it } from 'vitest';
import { densityAt } from '../../../src/percentile/moments/shape.ts';

describe('densityAt', () => {
  it('runs straight over x from 0', () => {
    expect([0, 0.25, 0.5, 0.75, 1].map(x => densityAt([1, 3, 2], 0, 1, x))).toEqual([1, 2, 3, 2.5, 2]);
  });

  it('keeps a power law above 0', () => {
    const power = (x: number): number => x ** -1.7;
    for (const x of [2, 2.5, 3, 5, 8]) {
      expect(densityAt([power(2), power(4), power(8)], 2, 8, x)).toBeCloseTo(power(x), 12);
    }
  });
});
