import type { BucketEdges } from '../bucketEdges.ts';
import type { Intervals } from '../intervals.ts';
import type { Epoch } from './epochs.ts';

/**
 * The intervals of one epoch, restricted to buckets with observations ("active" buckets). `bucket`, `lower`,
 * `upper`, `width` and `total` have one entry per active bucket.
 */
export interface Sample {
  readonly rows: number;
  readonly start: Int32Array;
  /** Active bucket by entry (an index into `bucket`). */
  readonly active: Int32Array;
  /** Number of observations by entry. */
  readonly count: Float64Array;
  /** Number of observations by row. */
  readonly size: Float64Array;
  /** Sum of the observations by row. */
  readonly sum: Float64Array;
  /** Index of the active bucket among all buckets. */
  readonly bucket: readonly number[];
  readonly lower: Float64Array;
  /** Infinity for the +Inf bucket. */
  readonly upper: Float64Array;
  readonly width: Float64Array;
  /** Number of observations by active bucket. */
  readonly total: Float64Array;
  /** Number of observations by bucket, active or not. */
  readonly totals: Float64Array;
  readonly edges: BucketEdges;
  /** Number of all observations. */
  readonly observations: number;
  /** Sum of all observations. */
  readonly totalSum: number;
  /** Maximum difference of sums that are considered equal. */
  readonly tolerance: number;
}

/** Creates the sample of an epoch. All edges except the last must be finite (see {@link closeFirstBucket}). */
export function createSample(
  intervals: Intervals,
  epoch: Epoch,
  edges: BucketEdges,
  tolerance: number,
): Sample {
  const from = intervals.start[epoch.from]!;
  const to = intervals.start[epoch.to]!;
  const totals = new Float64Array(edges.upper.length);
  for (let at = from; at < to; at += 1) totals[intervals.bucket[at]!]! += intervals.count[at]!;
  const bucket = [...totals.keys()].filter(index => totals[index]! > 0);
  const activeIndices = new Int32Array(totals.length);
  bucket.forEach((index, active) => {
    activeIndices[index] = active;
  });
  const start = intervals.start.slice(epoch.from, epoch.to + 1);
  for (let row = 0; row < start.length; row += 1) start[row]! -= from;
  const active = intervals.bucket.slice(from, to);
  for (let at = 0; at < active.length; at += 1) active[at] = activeIndices[active[at]!]!;
  const sum = intervals.sum.subarray(epoch.from, epoch.to);
  const lower = Float64Array.from(bucket, index => edges.lower[index]!);
  const upper = Float64Array.from(bucket, index => edges.upper[index]!);
  return {
    rows: epoch.to - epoch.from,
    start,
    active,
    count: intervals.count.subarray(from, to),
    size: intervals.size.subarray(epoch.from, epoch.to),
    sum,
    bucket,
    lower,
    upper,
    width: upper.map((edge, at) => edge - lower[at]!),
    total: Float64Array.from(bucket, index => totals[index]!),
    totals,
    edges,
    observations: totals.reduce((sum, count) => sum + count, 0),
    totalSum: sum.reduce((total, value) => total + value, 0),
    tolerance,
  };
}

/**
 * Returns edges in which the first bucket has a finite lower edge. If that edge is -Infinity, it is replaced
 * with a value far enough below the bucket's mean, which is estimated from the sum.
 */
export function closeFirstBucket(edges: BucketEdges, intervals: Intervals): BucketEdges {
  const { lower, upper } = edges;
  if (Number.isFinite(lower[0]!)) return edges;
  const totals = new Float64Array(upper.length);
  intervals.bucket.forEach((bucket, at) => {
    totals[bucket]! += intervals.count[at]!;
  });
  let remainingSum = intervals.sum.reduce((total, sum) => total + sum, 0);
  for (let bucket = 1; bucket < upper.length; bucket += 1) {
    const top = Number.isFinite(upper[bucket]!) ? upper[bucket]! : lower[bucket]!;
    remainingSum -= (totals[bucket]! * (lower[bucket]! + top)) / 2;
  }
  const edge = upper[0]!;
  const width = Math.max(
    Number.isFinite(upper[1]!) ? upper[1]! - edge : 0,
    0.1 * Math.abs(edge),
    Number.MIN_VALUE,
  );
  const mean = totals[0]! > 0 ? remainingSum / totals[0]! : edge;
  const start = lower.slice();
  start[0] = edge - Math.max(3 * (edge - mean), width);
  return { ...edges, lower: start };
}
