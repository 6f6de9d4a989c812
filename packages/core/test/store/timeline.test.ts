import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lowerBound, upperBound } from '../../src/store/timeline.ts';

describe('lowerBound and upperBound', () => {
  it('return the range of frames with a given time', () => {
    const times = fc.array(fc.integer({ min: -20, max: 20 }), { maxLength: 30 });
    fc.assert(
      fc.property(times, fc.integer({ min: -22, max: 22 }), (unsorted, time) => {
        const offsets = Float64Array.from(unsorted).sort();
        expect(lowerBound(offsets, time)).toBe(unsorted.filter(each => each < time).length);
        expect(upperBound(offsets, time)).toBe(unsorted.filter(each => each <= time).length);
      }),
    );
  });
});
