import { increaseOf } from '../period/resets.ts';
import type { BucketEdges } from './bucketEdges.ts';
import type { HistogramWindow, PercentileEstimates } from './estimator.ts';
import { largestAt, mirrored, mirroredPlace, type Occupancy, type Place } from './extremeValues.ts';
import { forEachPercent } from './percents.ts';
import { scrapedWindow } from './windowIntervals.ts';

/** The least and the largest value that a percentile can have, in the histogram's unit. */
export type PercentileInterval = readonly [lower: number, upper: number];

/** By percentile. */
export type PercentileBounds = Readonly<Record<keyof PercentileEstimates, PercentileInterval>>;

/**
 * Between which values the true percentiles lie, for certain: whatever the observations were, as long as they fell
 * into the buckets that counted them and add up to the window's sum. A percentile is NumPy's (linear between the
 * order statistics at h = q (N - 1)). An end is infinite only when nothing limits it.
 *
 * Trusted are the first and the last row of the window, no single interval between: scrapes show count, sum and
 * buckets of slightly different instants, and no interval can prove that it does not. When an interval proves that
 * it does (its sum cannot be that of its observations), no sum is trusted, and only the buckets count. Observations
 * are 0 or more unless a bound lies below 0 or the sum fell.
 *
 * Null without observations, and when the buckets contradict each other.
 */
export function percentileBounds(window: HistogramWindow): PercentileBounds | null {
  const { edges, tolerance, isInStep } = scrapedWindow(window);
  return boundsOf(edges, bucketCounts(edges), isInStep ? increaseOf(window).sum : null, tolerance);
}

/**
 * The same from its ingredients.
 *
 * @param counts observations by bucket, not cumulative
 * @param sum of the observations; null when it is not to be trusted
 * @param tolerance what rounding may have done to the sum
 */
export function boundsOf(
  { lower, upper }: Pick<BucketEdges, 'lower' | 'upper'>,
  counts: Float64Array,
  sum: number | null,
  tolerance: number,
): PercentileBounds | null {
  const observations = counts.reduce((all, count) => all + count, 0);
  if (!(observations > 0) || counts.some(count => count < 0)) return null;
  const known: Occupancy = { lower, upper, counts, sum: sum === null ? Infinity : sum + tolerance };
  const turned = mirrored(known, sum === null ? -Infinity : sum - tolerance);
  return forEachPercent<PercentileInterval>(percent => {
    const place = placeOf(percent, observations);
    // 0 - x, so that no end is -0.
    return [0 - largestAt(turned, mirroredPlace(place, observations)), largestAt(known, place)];
  });
}

/** How many observations of the window each bucket counted. */
export function bucketCounts({ cumulative, resets }: BucketEdges): Float64Array {
  const last = (cumulative[0]?.length ?? 0) - 1;
  let below = 0;
  return Float64Array.from(cumulative, column => {
    let upTo = last > 0 ? column[last]! - column[0]! : 0;
    for (const row of resets) upTo += column[row - 1]!;
    const inside = upTo - below;
    below = upTo;
    return inside;
  });
}

/** Whole numbers as long as possible: 0.07 * 100 is not 7. */
function placeOf(percent: number, observations: number): Place {
  const hundredths = percent * (observations - 1);
  const index = Math.floor(hundredths / 100);
  return { index, fraction: (hundredths - 100 * index) / 100 };
}

/** Why an estimate is to be read with care. */
export type EstimateDoubt = 'above-last-bound' | 'wide';

/**
 * `above-last-bound` for an estimate beyond the highest finite bound, where buckets say nothing; `wide` when the
 * guaranteed interval is wider than the estimate is large; else null.
 */
export function doubtOf(
  estimate: number,
  interval: PercentileInterval,
  window: Pick<HistogramWindow, 'bounds'>,
): EstimateDoubt | null {
  const finite = window.bounds.map(bound => bound.le).filter(Number.isFinite);
  if (finite.length === 0 || estimate > finite.at(-1)!) return 'above-last-bound';
  return interval[1] - interval[0] > Math.abs(estimate) ? 'wide' : null;
}
