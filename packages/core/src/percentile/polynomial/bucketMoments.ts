import type { HistogramWindow } from '../estimator.ts';
import { sampleVariance } from './pairwiseSum.ts';

/** Fewer means than this say nothing about a variance. */
const MIN_MEANS_FOR_VARIANCE = 3;

/** What scrape intervals in which only this bucket moved say about it (AIPerf's phase 1). */
export interface LearnedBucket {
  /** Weighted by observations. */
  readonly mean: number;
  /** Of the intervals' means, ddof 1; null with fewer than three of them. */
  readonly variance: number | null;
}

interface Means {
  observations: number;
  weighted: number;
  readonly values: number[];
}

/**
 * Walks the scrape intervals of a window: when exactly one bucket counted something, the interval's sum over its
 * count is a mean of that bucket. One entry a bound, null for a bucket that was never alone.
 *
 * An interval in which the count fell or stood still says nothing, and a bucket that fell counts as unmoved, as in
 * AIPerf.
 */
export function learnBuckets(window: HistogramWindow): (LearnedBucket | null)[] {
  const means: Means[] = window.bounds.map(() => ({ observations: 0, weighted: 0, values: [] }));
  for (let row = 1; row < window.counts.length; row += 1) {
    const count = Math.trunc(window.counts[row]! - window.counts[row - 1]!);
    if (count <= 0) continue;
    const moved = onlyBucketMoved(window.cumulative, row);
    if (moved !== null) record(means[moved]!, (window.sums[row]! - window.sums[row - 1]!) / count, count);
  }
  return means.map(learned);
}

/** The bucket in which all observations before this row lie, or null when they lie in none or several. */
function onlyBucketMoved(cumulative: readonly Float64Array[], row: number): number | null {
  let only: number | null = null;
  let below = 0;
  for (let bucket = 0; bucket < cumulative.length; bucket += 1) {
    const column = cumulative[bucket]!;
    const upTo = Math.max(column[row]! - column[row - 1]!, 0);
    if (upTo > below) {
      if (only !== null) return null;
      only = bucket;
    }
    below = upTo;
  }
  return only;
}

function record(means: Means, mean: number, count: number): void {
  means.observations += count;
  means.weighted += mean * count;
  means.values.push(mean);
}

function learned({ observations, weighted, values }: Means): LearnedBucket | null {
  if (observations === 0) return null;
  const variance = values.length < MIN_MEANS_FOR_VARIANCE ? null : sampleVariance(values);
  return { mean: weighted / observations, variance };
}
