import { describe, expect, it } from 'vitest';
import {
  findLargest,
  mirrorOccupancy,
  mirrorPosition,
  type Occupancy,
} from '../../src/percentile/extremeValues.ts';

/** Creates the constraints of observations in the buckets (0, 1], (1, 2] and (2, Infinity]. */
function createOccupancy(counts: readonly number[], sum: number): Occupancy {
  return {
    lower: Float64Array.of(0, 1, 2),
    upper: Float64Array.of(1, 2, Infinity),
    counts: Float64Array.from(counts),
    sum,
  };
}

describe('findLargest', () => {
  it.each<[string, number[], number, number, number]>([
    ['the upper edge without a sum', [2, 0, 0], Infinity, 0, 1],
    ['the upper edge with a large sum', [2, 0, 0], 2, 1, 1],
    ['the sum minus the lowest possible values of all other observations', [2, 1, 0], 1.5, 2, 1.5],
    ['the remaining sum for an observation in +Inf', [1, 1, 1], 10, 2, 9],
    ['the mean of all equal or larger observations', [2, 0, 0], 1, 0, 0.5],
    ['infinity in +Inf without a sum', [0, 0, 1], Infinity, 0, Infinity],
  ])('returns %s', (_, counts, sum, index, expected) => {
    expect(findLargest(createOccupancy(counts, sum), { index, fraction: 0 })).toBe(expected);
  });

  it('interpolates between two order statistics', () => {
    expect(findLargest(createOccupancy([1, 1, 0], Infinity), { index: 0, fraction: 0.25 })).toBe(1.25);
    expect(findLargest(createOccupancy([1, 1, 0], 1.5), { index: 0, fraction: 0.5 })).toBe(0.75);
  });

  it('throws for a position without an observation', () => {
    expect(() => findLargest(createOccupancy([1, 0, 0], 1), { index: 1, fraction: 0 })).toThrow('BUG');
  });
});

describe('mirrorOccupancy and mirrorPosition', () => {
  it('turn the smallest value into the negated largest value', () => {
    const mirrored = mirrorOccupancy(createOccupancy([1, 1, 1], 10), 10);
    expect([...mirrored.lower]).toEqual([-Infinity, -2, -1]);
    expect([...mirrored.upper]).toEqual([-2, -1, -0]);
    expect(-findLargest(mirrored, mirrorPosition({ index: 0, fraction: 0 }, 3))).toBeCloseTo(0, 12);
    expect(mirrorPosition({ index: 0, fraction: 0.25 }, 3)).toEqual({ index: 1, fraction: 0.75 });
  });
});
