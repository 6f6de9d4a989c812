import { findHistogramResets, hasSumFallen } from '../period/resets.ts';
import type { HistogramWindow } from './estimator.ts';

/** The buckets of a window. Bucket b contains the observations in (lower[b], upper[b]]. */
export interface BucketEdges {
  /** The first edge is 0, or -Infinity if observations can be negative. */
  readonly lower: Float64Array;
  /** The last edge is Infinity. */
  readonly upper: Float64Array;
  /** Cumulative counts by bucket, one entry per sample; the last column counts all observations. */
  readonly cumulative: readonly Float64Array[];
  /** Rows in which the histogram was reset. */
  readonly resets: ReadonlySet<number>;
}

/**
 * Finds the edges of a window's buckets. A histogram without a +Inf bucket gets one from its count.
 *
 * As in Prometheus, observations are assumed to be at least 0, unless a bound is below 0 or the sum falls
 * without a reset.
 */
export function findBucketEdges(window: HistogramWindow): BucketEdges {
  const bounds = window.bounds.map(bound => bound.le);
  const resets = new Set(findHistogramResets(window));
  const hasInf = bounds.at(-1) === Number.POSITIVE_INFINITY;
  const upper = Float64Array.from(hasInf ? bounds : [...bounds, Number.POSITIVE_INFINITY]);
  const lower = new Float64Array(upper.length);
  lower.set(upper.subarray(0, -1), 1);
  lower[0] = upper[0]! < 0 || hasFallingSum(window.sums, resets) ? Number.NEGATIVE_INFINITY : 0;
  return {
    lower,
    upper,
    cumulative: hasInf ? window.cumulative : [...window.cumulative, window.counts],
    resets,
  };
}

/** Reports whether a window has negative observations: the sum falls without a reset, or buckets below 0 increase. */
export function hasNegativeObservations(window: HistogramWindow): boolean {
  const belowZero = window.bounds.findLastIndex(bound => bound.le < 0);
  const column = window.cumulative[belowZero];
  if (column !== undefined && column.at(-1)! > column[0]!) return true;
  return hasFallingSum(window.sums, new Set(findHistogramResets(window)));
}

/** Reports whether the sum fell without a reset, which requires a negative observation. */
function hasFallingSum(sums: Float64Array, resets: ReadonlySet<number>): boolean {
  for (let row = 1; row < sums.length; row += 1) {
    if (hasSumFallen(sums[row - 1]!, sums[row]!) && !resets.has(row)) return true;
  }
  return false;
}
