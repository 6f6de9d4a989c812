import { resetRows, sumFell } from '../period/resets.ts';
import type { HistogramWindow } from './estimator.ts';

/** The buckets of a window by their edges: bucket b holds the observations in (lower, upper]. */
export interface BucketEdges {
  /** The first is 0, or -Infinity where observations may be negative. */
  readonly lower: Float64Array;
  /** The last is Infinity. */
  readonly upper: Float64Array;
  /** By bucket: the cumulative counts, one entry a sample; the last column counts all observations. */
  readonly cumulative: readonly Float64Array[];
  /** The rows at which the histogram began again from 0. */
  readonly resets: ReadonlySet<number>;
}

/**
 * The edges of a window's buckets. A histogram without a +Inf bucket gets one from its count.
 *
 * Observations are taken to be 0 or more unless the window says otherwise: a bound below 0, or a sum that fell while
 * nothing was reset (Prometheus, too, lets the first bucket begin at 0).
 */
export function bucketEdges(window: HistogramWindow): BucketEdges {
  const bounds = window.bounds.map(bound => bound.le);
  const resets = new Set(resetRows(window));
  const complete = bounds.at(-1) === Number.POSITIVE_INFINITY;
  const upper = Float64Array.from(complete ? bounds : [...bounds, Number.POSITIVE_INFINITY]);
  const lower = new Float64Array(upper.length);
  lower.set(upper.subarray(0, -1), 1);
  lower[0] = upper[0]! < 0 || anySumFell(window.sums, resets) ? Number.NEGATIVE_INFINITY : 0;
  return {
    lower,
    upper,
    cumulative: complete ? window.cumulative : [...window.cumulative, window.counts],
    resets,
  };
}

/** Whether some observation must have been negative. */
function anySumFell(sums: Float64Array, resets: ReadonlySet<number>): boolean {
  for (let row = 1; row < sums.length; row += 1) {
    if (sumFell(sums[row - 1]!, sums[row]!) && !resets.has(row)) return true;
  }
  return false;
}
