import { estimateLinearPercentiles } from '@org/core';
import type { Quantiles } from './quantileSketch.ts';

/** Observations by bucket. */
export interface BucketCounts {
  readonly boundsMs: readonly number[];
  /** By bound: the number of observations <= bound. */
  readonly cumulative: Float64Array;
}

/**
 * Adds observations. Returns undefined without observations, or if the bounds of the buckets differ, so that they cannot be
 * added.
 */
export function addBuckets(parts: readonly BucketCounts[]): BucketCounts | undefined {
  const [first, ...others] = parts;
  if (!first) return undefined;
  const cumulative = first.cumulative.slice();
  for (const other of others) {
    if (!hasBounds(other, first.boundsMs)) return undefined;
    for (let i = 0; i < cumulative.length; i++) cumulative[i]! += other.cumulative[i]!;
  }
  return { boundsMs: first.boundsMs, cumulative };
}

function hasBounds({ boundsMs }: BucketCounts, expected: readonly number[]): boolean {
  return boundsMs.length === expected.length && boundsMs.every((bound, i) => bound === expected[i]);
}

/** Estimates percentiles, with observations spread evenly in each bucket. Returns undefined without observations. */
export function estimateQuantiles({ boundsMs, cumulative }: BucketCounts): Quantiles | undefined {
  const count = cumulative.at(-1) ?? 0;
  if (count === 0) return undefined;
  const zeroAnd = (value: number): Float64Array => Float64Array.of(0, value);
  const estimates = estimateLinearPercentiles({
    timesNs: zeroAnd(1),
    sums: zeroAnd(0),
    counts: zeroAnd(count),
    bounds: boundsMs.map(le => ({ le, text: String(le) })),
    cumulative: [...cumulative].map(zeroAnd),
  });
  if (estimates === null) return undefined;
  const { p50, p90, p95, p99 } = estimates;
  return { count, p50, p90, p95, p99 };
}
