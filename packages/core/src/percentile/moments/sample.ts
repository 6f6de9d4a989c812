import type { BucketEdges } from '../bucketEdges.ts';
import type { Intervals } from '../intervals.ts';
import type { Epoch } from './epochs.ts';

/**
 * The intervals of one epoch over the buckets in which something fell ("active" ones), which is all that the model
 * of an epoch sees. By active bucket: `bucket`, `lower`, `upper`, `width`, `total`.
 */
export interface Sample {
  readonly rows: number;
  readonly start: Int32Array;
  /** By entry: the active bucket. */
  readonly active: Int32Array;
  readonly count: Float64Array;
  readonly size: Float64Array;
  readonly sum: Float64Array;
  /** The bucket's index among all buckets. */
  readonly bucket: readonly number[];
  readonly lower: Float64Array;
  /** Infinity for +Inf. */
  readonly upper: Float64Array;
  readonly width: Float64Array;
  readonly total: Float64Array;
  /** By bucket, active or not. */
  readonly totals: Float64Array;
  readonly edges: BucketEdges;
  readonly observations: number;
  /** Of all sums. */
  readonly whole: number;
  /** Sums closer to each other than this are equal. */
  readonly tolerance: number;
}

/** Takes the rows of an epoch. The edges must be finite but for the last one (see {@link finiteEdges}). */
export function sampleOf(intervals: Intervals, epoch: Epoch, edges: BucketEdges, tolerance: number): Sample {
  const from = intervals.start[epoch.from]!;
  const to = intervals.start[epoch.to]!;
  const totals = new Float64Array(edges.upper.length);
  for (let at = from; at < to; at += 1) totals[intervals.bucket[at]!]! += intervals.count[at]!;
  const bucket = [...totals.keys()].filter(index => totals[index]! > 0);
  const activeOf = new Int32Array(totals.length);
  bucket.forEach((index, active) => {
    activeOf[index] = active;
  });
  const start = intervals.start.slice(epoch.from, epoch.to + 1);
  for (let row = 0; row < start.length; row += 1) start[row]! -= from;
  const active = intervals.bucket.slice(from, to);
  for (let at = 0; at < active.length; at += 1) active[at] = activeOf[active[at]!]!;
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
    observations: totals.reduce((all, count) => all + count, 0),
    whole: sum.reduce((all, value) => all + value, 0),
    tolerance,
  };
}

/** A first bucket without a lower edge gets one, far enough down for what the sum says of its mean. */
export function withFiniteStart(edges: BucketEdges, intervals: Intervals): BucketEdges {
  const { lower, upper } = edges;
  if (Number.isFinite(lower[0]!)) return edges;
  const totals = new Float64Array(upper.length);
  intervals.bucket.forEach((bucket, at) => {
    totals[bucket]! += intervals.count[at]!;
  });
  let rest = intervals.sum.reduce((all, sum) => all + sum, 0);
  for (let bucket = 1; bucket < upper.length; bucket += 1) {
    const top = Number.isFinite(upper[bucket]!) ? upper[bucket]! : lower[bucket]!;
    rest -= (totals[bucket]! * (lower[bucket]! + top)) / 2;
  }
  const edge = upper[0]!;
  const width = Math.max(
    Number.isFinite(upper[1]!) ? upper[1]! - edge : 0,
    0.1 * Math.abs(edge),
    Number.MIN_VALUE,
  );
  const mean = totals[0]! > 0 ? rest / totals[0]! : edge;
  const start = lower.slice();
  start[0] = edge - Math.max(3 * (edge - mean), width);
  return { ...edges, lower: start };
}
