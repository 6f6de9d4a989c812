import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type CombinedBuckets,
  combineBuckets,
  computeBucketPercentile,
  computePercentile,
} from '../../../src/report/model/percentiles.ts';
import { ObservationTrace } from '../../../src/report/timeline/trace.ts';

test.each([
  [[1], 99, 1],
  [[1, 3], 50, 2],
  [[0, 10, 20, 30, 40], 25, 10],
  [[0, 10, 20, 30, 40], 90, 36],
])('the percentile of %j at %d is %d, as in NumPy', (values, percent, expected) => {
  expect(computePercentile(values, percent)).toBeCloseTo(expected, 9);
});

const BOUNDS = [1, 2, 5, 10, Number.POSITIVE_INFINITY];

/** Counts observations by bucket, cumulative, in one bin. */
function toBuckets(observations: readonly number[]): CombinedBuckets {
  return {
    bounds: BOUNDS,
    counts: BOUNDS.map(bound => Float64Array.of(observations.filter(value => value <= bound).length)),
  };
}

describe('a percentile of a histogram', () => {
  test('is always between its bounds', () => {
    const observation = fc.double({ min: 0, max: 20, noNaN: true });
    fc.assert(
      fc.property(
        fc.array(observation, { minLength: 1, maxLength: 200 }),
        fc.constantFrom(50, 90, 99),
        (observations, percent) => {
          const truth = computePercentile(
            [...observations].sort((a, b) => a - b),
            percent,
          );
          const { low, high, estimate } = computeBucketPercentile(toBuckets(observations), 0, percent)!;
          expect(truth).toBeGreaterThanOrEqual(low);
          if (high !== null) expect(truth).toBeLessThanOrEqual(high);
          expect(estimate).toBeGreaterThanOrEqual(low);
          if (high !== null) expect(estimate).toBeLessThanOrEqual(high);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('has no upper bound above the largest bucket', () => {
    expect(computeBucketPercentile(toBuckets([50]), 0, 99)).toEqual({ estimate: 10, low: 10, high: null });
  });

  test('is unknown without observations', () => {
    expect(computeBucketPercentile(toBuckets([]), 0, 50)).toBeNull();
  });
});

/** Creates the trace of a histogram with one observation up to each bound. */
function createHistogram(bounds: readonly string[]): ObservationTrace {
  const trace = new ObservationTrace({ bins: 1, width: 10 });
  const buckets = new Map(bounds.map((le, i) => [le, i + 1]));
  trace.addIncrease(
    0,
    { seconds: 5, count: bounds.length, sum: 1, buckets },
    { count: 0, sum: 0, buckets: new Map() },
  );
  return trace;
}

test('adds the buckets of histograms, also if servers write bounds differently', () => {
  const combined = combineBuckets([
    createHistogram(['1.0', '2.0', '+Inf']),
    createHistogram(['1', '2', '+Inf']),
  ]);
  expect(combined!.bounds).toEqual([1, 2, Number.POSITIVE_INFINITY]);
  expect(combined!.counts.map(([count]) => count)).toEqual([2, 4, 6]);
});

test('does not combine histograms with different buckets', () => {
  expect(combineBuckets([createHistogram(['1', '+Inf']), createHistogram(['2', '+Inf'])])).toBeUndefined();
});

test('counts all observations between two samples in one bin if bins must be exact', () => {
  const buckets = new Map([['+Inf', 4]]);
  const trace = new ObservationTrace({ bins: 2, width: 10 }, {}, true);
  trace.add({ seconds: 9, count: 0, sum: 0, buckets: new Map([['+Inf', 0]]) });
  trace.add({ seconds: 12, count: 4, sum: 4, buckets });
  expect([...trace.counts]).toEqual([0, 4]);
});
