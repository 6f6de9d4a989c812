import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createPlacedBucket,
  placeInBucket,
  shiftPlacement,
} from '../../../src/percentile/polynomial/placement.ts';

/** Moments of the bucket (1, 2] for each kind of placement. */
const LEARNED = {
  'two points': { mean: 1.4, variance: 1e-6 },
  blend: { mean: 1.45, variance: 1e-3 },
  'two slopes': { mean: 1.2, variance: 0.02 },
  'even placement': { mean: 1.7, variance: null },
  'even placement around the middle': null,
  'even placement with an impossible mean': { mean: 5, variance: 0.1 },
};

describe.each(Object.entries(LEARNED))('%s', (_, learned) => {
  const bucket = createPlacedBucket(1, 2, learned);

  it('returns ascending observations within the bucket, and their sum', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), count => {
        const placed = placeInBucket(count, bucket, bucket.mean ?? 1.5);
        const values = Array.from({ length: count }, (__, index) => placed.at(index));
        const sum = values.reduce((total, value) => total + value, 0);
        expect(placed.count).toBe(count);
        expect(placed.sum).toBeCloseTo(sum, 8);
        expect(values.every((value, at) => value >= (at === 0 ? 1 : values[at - 1]!) && value <= 2)).toBe(
          true,
        );
      }),
      { numRuns: 60 },
    );
  });

  it('stays in the bucket when shifted', () => {
    const shifted = shiftPlacement(placeInBucket(50, bucket, 1.5), 0.4, 1, 2);
    const original = placeInBucket(50, bucket, 1.5);
    for (let index = 0; index < 50; index += 1) {
      expect(shifted.at(index)).toBe(Math.min(original.at(index) + 0.4, 2));
    }
  });
});
