import { type BucketEdges, findBucketEdges } from './bucketEdges.ts';
import type { HistogramWindow } from './estimator.ts';
import { extractIntervals, type Intervals } from './intervals.ts';
import {
  computeSumRange,
  computeSumTolerance,
  countInconsistentSums,
  type SumRange,
} from './sumConsistency.ts';

/** A window split into scrape intervals. */
export interface WindowIntervals {
  readonly edges: BucketEdges;
  /** Intervals as scraped; their sums may be inconsistent with their observations. */
  readonly intervals: Intervals;
  /** Ranges of possible sums of the intervals. */
  readonly range: SumRange;
  /** Largest difference between sums that can be caused by rounding. */
  readonly tolerance: number;
  /** True if the sums of all intervals are possible for their observations. */
  readonly isConsistent: boolean;
}

/** Cached intervals by window, because estimates and bounds both need them. */
const cachedIntervals = new WeakMap<HistogramWindow, WindowIntervals>();

/** Splits a window into scrape intervals. The window must not be modified afterwards. */
export function splitWindow(window: HistogramWindow): WindowIntervals {
  const cached = cachedIntervals.get(window);
  if (cached) return cached;
  const edges = findBucketEdges(window);
  const intervals = extractIntervals(window, edges);
  const tolerance = computeSumTolerance(window);
  const range = computeSumRange(intervals, edges);
  const isConsistent = countInconsistentSums(intervals, range, tolerance) === 0;
  const split = { edges, intervals, range, tolerance, isConsistent };
  cachedIntervals.set(window, split);
  return split;
}
