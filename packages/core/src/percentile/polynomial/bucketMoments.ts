import type { HistogramWindow } from '../estimator.ts';
import { computeSampleVariance } from './pairwiseSum.ts';

/** Minimum number of interval means for a variance. */
const MIN_MEANS_FOR_VARIANCE = 3;

/** Moments of a bucket, learned from scrape intervals with observations in this bucket only (AIPerf's phase 1). */
export interface BucketMoments {
  /** Mean of the intervals, weighted by observations. */
  readonly mean: number;
  /** Variance of the interval means (ddof 1); null with fewer than three intervals. */
  readonly variance: number | null;
}

/** Mean values of the intervals whose observations are all in one bucket. */
interface Means {
  observations: number;
  /** Sum of the means, weighted by observations. */
  weighted: number;
  readonly values: number[];
}

/**
 * Learns the moments of each bucket: if all observations of a scrape interval are in one bucket, the
 * interval's sum divided by its count is a sample of the bucket's mean. Returns one entry per bound; null for
 * a bucket without such an interval.
 *
 * As in AIPerf, intervals without an increase of the count are skipped, and a bucket whose count fell is
 * treated as unchanged.
 */
export function learnBucketMoments(window: HistogramWindow): (BucketMoments | null)[] {
  const means: Means[] = window.bounds.map(() => ({ observations: 0, weighted: 0, values: [] }));
  for (let row = 1; row < window.counts.length; row += 1) {
    const count = Math.trunc(window.counts[row]! - window.counts[row - 1]!);
    if (count <= 0) continue;
    const bucket = findOnlyBucket(window.cumulative, row);
    if (bucket !== null) addMean(means[bucket]!, (window.sums[row]! - window.sums[row - 1]!) / count, count);
  }
  return means.map(computeMoments);
}

/** Returns the only bucket with observations since the previous row; null if there is none or more than one. */
function findOnlyBucket(cumulative: readonly Float64Array[], row: number): number | null {
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

function addMean(means: Means, mean: number, count: number): void {
  means.observations += count;
  means.weighted += mean * count;
  means.values.push(mean);
}

function computeMoments({ observations, weighted, values }: Means): BucketMoments | null {
  if (observations === 0) return null;
  const variance = values.length < MIN_MEANS_FOR_VARIANCE ? null : computeSampleVariance(values);
  return { mean: weighted / observations, variance };
}
