import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimateMomentsPercentiles } from '../../src/percentile/moments/moments.ts';
import {
  computePercentileBounds,
  findEstimateWarning,
  type PercentileInterval,
} from '../../src/percentile/percentileBounds.ts';
import { PERCENTS } from '../../src/percentile/percents.ts';
import { computeTruePercentile, createScrapedWindow } from './support/scrapes.ts';
import { createWindow } from './support/windows.ts';

const LAYOUTS = [
  ['1', '2', '5', '10', '+Inf'],
  ['0', '1', '+Inf'],
  ['-5', '-1', '0', '3', '+Inf'],
  ['-2', '+Inf'],
  ['4', '+Inf'],
  ['+Inf'],
  ['1', '2', '5'],
];

/** Generates the observations of each interval: often few, equal or on a bound, sometimes far above the last bound. */
function generateIntervals(min: number): fc.Arbitrary<number[][]> {
  const value = fc.oneof(
    fc.double({ min, max: 12, noNaN: true }),
    fc.constantFrom(1, 2, 5, 10),
    fc.double({ min: 10, max: 5000, noNaN: true }),
  );
  return fc.array(fc.array(value, { maxLength: 12 }), { minLength: 1, maxLength: 12 });
}

describe('computePercentileBounds', () => {
  it.each(LAYOUTS)('contains the true value and the estimate if the first bound is %s', (...les) => {
    const hasNegativeBound = Number(les[0]) < 0;
    fc.assert(
      fc.property(generateIntervals(hasNegativeBound ? -20 : 0), fc.array(fc.nat(9)), (intervals, before) => {
        const window = createScrapedWindow(les, intervals, before);
        const bounds = computePercentileBounds(window);
        const estimates = estimateMomentsPercentiles(window);
        const values = intervals.flat();
        expect(bounds === null).toBe(values.length === 0);
        expect(estimates === null).toBe(values.length === 0);
        if (bounds === null || estimates === null) return;
        for (const percent of PERCENTS) {
          const truth = computeTruePercentile(values, percent);
          const [lower, upper] = bounds[`p${percent}`];
          const rounding = 1e-9 * (1 + Math.abs(truth));
          expect(lower).toBeLessThanOrEqual(truth + rounding);
          expect(upper).toBeGreaterThanOrEqual(truth - rounding);
          expect(estimates[`p${percent}`]).toBeGreaterThanOrEqual(lower);
          expect(estimates[`p${percent}`]).toBeLessThanOrEqual(upper);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('contains the true value if negative observations decrease the sum', () => {
    const window = createScrapedWindow(['1', '2', '+Inf'], [[0.5, 1.5], [-30], [3]]);
    expect(computePercentileBounds(window)?.p1[0]).toBeLessThanOrEqual(
      computeTruePercentile([0.5, 1.5, -30, 3], 1),
    );
  });

  const les = ['1', '2', '+Inf'];
  it.each<[string, number[][], Partial<Record<'p1' | 'p50' | 'p99', PercentileInterval>>]>([
    // The sum is 10. The largest value is at least 7 (if the others are 1 and 2), and at most 9 (if they are 0 and 1).
    [
      'uses the sum to bound values in +Inf',
      [[0.5, 1.5, 8]],
      { p50: [1, 2], p99: [0.02 * 2 + 0.98 * 7, 0.02 + 0.98 * 9] },
    ],
    ['derives the median of two observations from their sum', [[4, 8]], { p50: [6, 6] }],
    ['derives a single observation', [[1.25]], { p1: [1.25, 1.25], p99: [1.25, 1.25] }],
    ['derives equal observations on a bound', [[1, 1, 1]], { p1: [1, 1], p99: [1, 1] }],
    [
      'narrows the bounds of the median in one bucket by the sum',
      [[1.2, 1.5, 1.8, 1.1, 1.9]],
      { p50: [(7.5 - 4) / 3, (7.5 - 2) / 3] },
    ],
  ])('%s', (_, intervals, expected) => {
    const bounds = computePercentileBounds(createScrapedWindow(les, intervals));
    for (const [name, [lower, upper]] of Object.entries(expected)) {
      expect(bounds?.[name as 'p50'][0], name).toBeCloseTo(lower, 9);
      expect(bounds?.[name as 'p50'][1], name).toBeCloseTo(upper, 9);
    }
  });

  it('ignores the sum if an interval has an impossible sum', () => {
    const bucket_counts = [
      [0, 0, 0],
      [0, 1, 1],
      [0, 1, 2],
    ];
    const window = createWindow({ les, sums: [0, 0, 9], counts: [0, 1, 2], bucket_counts });
    expect(computePercentileBounds(window)?.p99).toEqual([0.01 + 0.99 * 2, Number.POSITIVE_INFINITY]);
  });

  it('returns null if the buckets contradict each other', () => {
    const window = createWindow({
      les,
      sums: [0, 3],
      counts: [0, 3],
      bucket_counts: [
        [0, 0, 0],
        [2, 1, 3],
      ],
    });
    expect(computePercentileBounds(window)).toBeNull();
  });

  it('handles a reset', () => {
    const bucket_counts = [
      [5, 5, 5],
      [5, 6, 6],
      [1, 1, 1],
    ];
    const window = createWindow({ les, sums: [2, 3.5, 0.75], counts: [5, 6, 1], bucket_counts });
    expect(computePercentileBounds(window)?.p50[0]).toBeCloseTo(1.125, 9);
    expect(computePercentileBounds(window)?.p50[1]).toBeCloseTo(1.125, 9);
  });
});

describe('findEstimateWarning', () => {
  const bounds = ['1', '2', '+Inf'].map(text => ({ le: text === '+Inf' ? Infinity : Number(text), text }));
  it.each<[string, number, PercentileInterval, string | null]>([
    ['warns about an estimate in +Inf', 3, [2, 4], 'above_last_bound'],
    ['warns about an interval wider than the value', 0.4, [0, 1], 'wide_bounds'],
    ['accepts an interval as wide as the value', 1, [0.5, 1.5], null],
    ['accepts an exact 0', 0, [0, 0], null],
  ])('%s', (_, estimate, interval, warning) => {
    expect(findEstimateWarning(estimate, interval, { bounds })).toBe(warning);
  });

  it('warns if the histogram has no finite bound', () => {
    expect(findEstimateWarning(1, [1, 1], { bounds: [{ le: Number.POSITIVE_INFINITY, text: '+Inf' }] })).toBe(
      'above_last_bound',
    );
  });
});
