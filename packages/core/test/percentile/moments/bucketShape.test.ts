import { describe, expect, it } from 'vitest';
import {
  densityAt,
  lomax,
  smoothMasses,
  smoothWithZeros,
} from '../../../src/percentile/moments/bucketShape.ts';

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

const edges = Float64Array.from({ length: 101 }, (_, at) => at / 100);

function meanOf(mass: Float64Array, at: Float64Array): number {
  return mass.reduce((all, one, cell) => all + (one * (at[cell]! + at[cell + 1]!)) / 2, 0);
}

describe('smoothMasses', () => {
  it('has the mean, whatever the shape', () => {
    expect(meanOf(smoothMasses(edges, [1, 2, 5], 0.3, 1), edges)).toBeCloseTo(0.3, 6);
    expect(meanOf(smoothMasses(edges, null, 0.8, 0.01), edges)).toBeCloseTo(0.8, 4);
  });
});

describe('smoothWithZeros', () => {
  it('splits a low mean into zeros and a rest', () => {
    const { masses, zeros } = smoothWithZeros(edges, [1, 1, 1], 0.1);
    expect(zeros).toBeCloseTo(0.8, 6);
    expect(meanOf(masses, edges) * (1 - zeros)).toBeCloseTo(0.1, 6);
  });
});

describe('lomax', () => {
  it('has a mean and a tail heavier than an exponential one', () => {
    const wide = Float64Array.from({ length: 20_001 }, (_, at) => 10 + at / 10);
    const mass = lomax(wide, 3, 3 * 9);
    expect(mass.reduce((all, one) => all + one, 0)).toBeCloseTo(1, 9);
    expect(meanOf(mass, wide)).toBeCloseTo(13, 1);
    const beyond = mass.subarray(300).reduce((all, one) => all + one, 0);
    expect(beyond).toBeGreaterThan(Math.exp(-10));
  });
});
