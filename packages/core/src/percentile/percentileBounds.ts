import { computeHistogramIncrease } from '../period/resets.ts';
import type { BucketEdges } from './bucketEdges.ts';
import type { HistogramWindow, PercentileEstimates } from './estimator.ts';
import {
  findLargest,
  mirrorOccupancy,
  mirrorPosition,
  type Occupancy,
  type Position,
} from './extremeValues.ts';
import { mapPercents } from './percents.ts';
import { splitWindow } from './windowIntervals.ts';

/** The smallest and the largest possible value of a percentile, in the unit of the histogram. */
export type PercentileInterval = readonly [lower: number, upper: number];

/** Guaranteed bounds by percentile. */
export type PercentileBounds = Readonly<Record<keyof PercentileEstimates, PercentileInterval>>;

/**
 * Computes guaranteed bounds of the true percentiles: they hold for all observations that match the bucket
 * counts and the sum of the window. Percentiles are defined as in NumPy (linear interpolation at h = q (N -
 * 1)). A bound is infinite only if neither buckets nor sum limit it.
 *
 * Uses only the increase over the whole window, not the increases of its intervals, because the count, sum
 * and buckets of a scrape may be read at slightly different times. If the sum of any interval is impossible
 * for its observations, the sum of the window is ignored. Observations are assumed to be at least 0 unless a
 * bound is below 0 or the sum fell.
 *
 * Returns null if there are no observations, or if the buckets contradict each other.
 */
export function computePercentileBounds(window: HistogramWindow): PercentileBounds | null {
  const { edges, tolerance, isConsistent } = splitWindow(window);
  const { sum } = computeHistogramIncrease(window);
  const isSumKnown = isConsistent && !Number.isNaN(sum);
  return boundPercentiles(edges, countBuckets(edges), isSumKnown ? sum : null, tolerance);
}

/**
 * Computes guaranteed bounds of percentiles from bucket counts and a sum.
 *
 * @param counts observations by bucket, not cumulative
 * @param sum the sum of the observations; null if it is unreliable
 * @param tolerance the maximum rounding error of the sum
 */
function boundPercentiles(
  { lower, upper }: Pick<BucketEdges, 'lower' | 'upper'>,
  counts: Float64Array,
  sum: number | null,
  tolerance: number,
): PercentileBounds | null {
  const observations = counts.reduce((total, count) => total + count, 0);
  if (!(observations > 0) || counts.some(count => count < 0)) return null;
  const occupancy: Occupancy = { lower, upper, counts, sum: sum === null ? Infinity : sum + tolerance };
  const mirrored = mirrorOccupancy(occupancy, sum === null ? -Infinity : sum - tolerance);
  return mapPercents<PercentileInterval>(percent => {
    const position = findPosition(percent, observations);
    // 0 - x instead of -x, so that no bound is -0.
    return [
      0 - findLargest(mirrored, mirrorPosition(position, observations)),
      findLargest(occupancy, position),
    ];
  });
}

/** Returns the number of observations of the window by bucket, not cumulative. */
function countBuckets({ cumulative, resets }: BucketEdges): Float64Array {
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

/** Finds the position of a percentile. Uses integers where possible, because 0.07 * 100 is not 7. */
function findPosition(percent: number, observations: number): Position {
  const rankTimes100 = percent * (observations - 1);
  const index = Math.floor(rankTimes100 / 100);
  return { index, fraction: (rankTimes100 - 100 * index) / 100 };
}

/** The reason why an estimate is unreliable. */
export type EstimateWarning = 'above_last_bound' | 'wide_bounds';

/**
 * Returns `above_last_bound` for an estimate above the highest finite bound, `wide_bounds` if the guaranteed
 * interval is wider than the estimate itself, or null.
 */
export function findEstimateWarning(
  estimate: number,
  interval: PercentileInterval,
  window: Pick<HistogramWindow, 'bounds'>,
): EstimateWarning | null {
  const finite = window.bounds.map(bound => bound.le).filter(Number.isFinite);
  if (finite.length === 0 || estimate > finite.at(-1)!) return 'above_last_bound';
  return interval[1] - interval[0] > Math.abs(estimate) ? 'wide_bounds' : null;
}
