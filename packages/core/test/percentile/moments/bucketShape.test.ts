import { describe, expect, it } from 'vitest';
import {
  createInterpolation,
  createLomaxMasses,
  createSmoothMasses,
  createZeroInflatedMasses,
} from '../../../src/percentile/moments/bucketShape.ts';

describe('createInterpolation', () => {
  it('is linear in a bucket that starts at 0', () => {
    expect([0, 0.25, 0.5, 0.75, 1].map(createInterpolation([1, 3, 2], 0, 1))).toEqual([1, 2, 3, 2.5, 2]);
  });

  it('preserves a power law above 0', () => {
    const power = (x: number): number => x ** -1.7;
    const interpolate = createInterpolation([power(2), power(4), power(8)], 2, 8);
    for (const x of [2, 2.5, 3, 5, 8]) expect(interpolate(x)).toBeCloseTo(power(x), 12);
  });
});

const edges = Float64Array.from({ length: 101 }, (_, at) => at / 100);

function computeMean(mass: Float64Array, edges: Float64Array): number {
  return mass.reduce((sum, m, cell) => sum + (m * (edges[cell]! + edges[cell + 1]!)) / 2, 0);
}

describe('createSmoothMasses', () => {
  it('matches the mean for any shape', () => {
    expect(computeMean(createSmoothMasses(edges, [1, 2, 5], 0.3, 1), edges)).toBeCloseTo(0.3, 6);
    expect(computeMean(createSmoothMasses(edges, null, 0.8, 0.01), edges)).toBeCloseTo(0.8, 4);
  });
});

describe('createZeroInflatedMasses', () => {
  it('splits a low mean into zeros and nonzero observations', () => {
    const { masses, zeros } = createZeroInflatedMasses(edges, [1, 1, 1], 0.1);
    expect(zeros).toBeCloseTo(0.8, 6);
    expect(computeMean(masses, edges) * (1 - zeros)).toBeCloseTo(0.1, 6);
  });
});

describe('createLomaxMasses', () => {
  it('matches the mean and has a tail heavier than exponential', () => {
    const wide = Float64Array.from({ length: 20_001 }, (_, at) => 10 + at / 10);
    const mass = createLomaxMasses(wide, 3, 3 * 9);
    expect(mass.reduce((sum, m) => sum + m, 0)).toBeCloseTo(1, 9);
    expect(computeMean(mass, wide)).toBeCloseTo(13, 1);
    const beyond = mass.subarray(300).reduce((sum, m) => sum + m, 0);
    expect(beyond).toBeGreaterThan(Math.exp(-10));
  });
});
