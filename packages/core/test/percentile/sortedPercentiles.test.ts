import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeSortedPercentile, computeSortedPercentiles } from '../../src/percentile/sortedPercentiles.ts';

const sortedValues = fc
  .array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1, maxLength: 80 })
  .map(values => Float64Array.from(values).sort());

describe('computeSortedPercentiles', () => {
  it.each([
    [[4], 99, 4],
    [[1, 2], 50, 1.5],
    [[1, 2, 3], 50, 2],
    [[0, 10], 1, 0.1],
    [[0, 10, 20, 30, 40], 90, 36],
    [[-1.7e308, 1.7e308], 50, 0],
  ])('for the values %j, p%d is %d', (values, percent, expected) => {
    expect(computeSortedPercentile(Float64Array.from(values), percent)).toBeCloseTo(expected, 12);
  });

  it('returns ascending values, and the exact extremes for 0 and 100 percent', () => {
    fc.assert(
      fc.property(sortedValues, values => {
        expect(computeSortedPercentile(values, 0)).toBe(values[0]);
        expect(computeSortedPercentile(values, 100)).toBe(values.at(-1));
        const percentiles = Object.values(computeSortedPercentiles(values));
        expect(percentiles).toEqual(percentiles.toSorted((a, b) => a - b));
        expect(Object.keys(computeSortedPercentiles(values)).join()).toBe(
          'p1,p5,p10,p25,p50,p75,p90,p95,p99',
        );
      }),
    );
  });

  it('returns the value of a constant', () => {
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.integer({ min: 1, max: 50 }),
        (value, count) => {
          const percentiles = computeSortedPercentiles(new Float64Array(count).fill(value));
          for (const percentile of Object.values(percentiles)) expect(percentile).toBe(value);
        },
      ),
    );
  });
});
