import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { doubtOf, percentileBounds } from '../../src/percentile/bounds.ts';
import { momentsPercentiles } from '../../src/percentile/moments.ts';
import { PERCENTS } from '../../src/percentile/percents.ts';
import { scraped, truePercentile } from './scraped.ts';
import { windowOf } from './window.ts';

const LAYOUTS = [
  ['1', '2', '5', '10', '+Inf'],
  ['0', '1', '+Inf'],
  ['-5', '-1', '0', '3', '+Inf'],
  ['-2', '+Inf'],
  ['4', '+Inf'],
  ['+Inf'],
  ['1', '2', '5'],
];

/** Some observations per interval: often few, often equal, often on a bound, sometimes far beyond the last one. */
function intervalsFrom(least: number): fc.Arbitrary<number[][]> {
  const value = fc.oneof(
    fc.double({ min: least, max: 12, noNaN: true }),
    fc.constantFrom(1, 2, 5, 10),
    fc.double({ min: 10, max: 5000, noNaN: true }),
  );
  return fc.array(fc.array(value, { maxLength: 12 }), { minLength: 1, maxLength: 12 });
}

describe('percentileBounds', () => {
  it.each(LAYOUTS)('holds the truth between bounds from %s', (...les) => {
    const negative = Number(les[0]) < 0;
    fc.assert(
      fc.property(intervalsFrom(negative ? -20 : 0), fc.array(fc.nat(9)), (intervals, before) => {
        const bounds = percentileBounds(scraped(les, intervals, before));
        const values = intervals.flat();
        if (values.length === 0) {
          expect(bounds).toBeNull();
          return;
        }
        for (const percent of PERCENTS) {
          const truth = truePercentile(values, percent);
          const [lower, upper] = bounds![`p${percent}`];
          const rounding = 1e-9 * (1 + Math.abs(truth));
          expect(lower).toBeLessThanOrEqual(truth + rounding);
          expect(upper).toBeGreaterThanOrEqual(truth - rounding);
        }
      }),
      { numRuns: 200 },
    );
  });
});
