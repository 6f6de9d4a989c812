import { type BucketEdges, bucketEdges } from './bucketEdges.ts';
import type { HistogramWindow } from './estimator.ts';
import { extractIntervals, type Intervals } from './intervals.ts';
import { outOfStep, type SumRange, sumRange, sumTolerance } from './sumConsistency.ts';

/** A window as its scrapes cut it. */
export interface ScrapedWindow {
  readonly edges: BucketEdges;
  /** As the server showed them, in step or not. */
  readonly intervals: Intervals;
  readonly range: SumRange;
  /** Differences of sums that may be rounding. */
  readonly tolerance: number;
  /** Whether no interval proves that count, sum and buckets are of different instants. */
  readonly isInStep: boolean;
}

/** By window, so that an estimate and its bounds, which both begin with this, share it: it is a good part of their work. */
const known = new WeakMap<HistogramWindow, ScrapedWindow>();

/** Cuts a window into its intervals; a window's columns must not change afterwards. */
export function scrapedWindow(window: HistogramWindow): ScrapedWindow {
  const before = known.get(window);
  if (before) return before;
  const edges = bucketEdges(window);
  const intervals = extractIntervals(window, edges);
  const tolerance = sumTolerance(window);
  const range = sumRange(intervals, edges);
  const isInStep = outOfStep(intervals, range, tolerance) === 0;
  const scraped = { edges, intervals, range, tolerance, isInStep };
  known.set(window, scraped);
  return scraped;
}
