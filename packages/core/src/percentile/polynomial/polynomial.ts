import { computeHistogramIncrease, type Increase } from '../../period/resets.ts';
import type { HistogramWindow, PercentileEstimates } from '../estimator.ts';
import { interpolatePercentile, mapPercents } from '../percents.ts';
import { type BucketMoments, learnBucketMoments } from './bucketMoments.ts';
import {
  clip,
  createPlacedBucket,
  type PlacedBucket,
  type Placement,
  placeInBucket,
  shiftPlacement,
} from './placement.ts';

/** Maximum number of observations that AIPerf places. Larger counts are scaled down, and the sum with them. */
const MAX_OBSERVATIONS = 100_000;
/** A bucket with at least this share of the finite observations is centered on their average. */
const DOMINANT_SHARE = 0.95;
/** Without a usable sum, observations in +Inf are placed around this multiple of the highest finite bound. */
const INF_FALLBACK = 1.5;
/** Accepted relative error of the placed sum. */
const SUM_TOLERANCE = 0.001;
/** Maximum shift of an observation, as a share of the bucket width. */
const MAX_SHIFT = 0.4;

/**
 * Estimates percentiles by AIPerf's polynomial histogram algorithm (arXiv 2504.00001), with the same results:
 * learns bucket means from the scrapes, estimates the sums of the finite buckets, assigns the remaining sum
 * to +Inf, places observations, and shifts them toward the sum.
 *
 * Returns null if there are no observations, if the sum is negative or not finite, or if the sum is above 0
 * and there is no finite bucket. If the sum is 0, all percentiles are 0.
 */
export function estimatePolynomialPercentiles(window: HistogramWindow): PercentileEstimates | null {
  const bounds = window.bounds.map(bound => bound.le);
  return estimateFromMoments(bounds, computeHistogramIncrease(window), learnBucketMoments(window));
}

/** Estimates percentiles from the increase of the period and the learned moments of each bucket. */
export function estimateFromMoments(
  bounds: readonly number[],
  increase: Increase,
  learned: readonly (BucketMoments | null)[],
): PercentileEstimates | null {
  const { count, sum } = increase;
  if (!(Math.trunc(count) > 0) || bounds.length === 0) return null;
  if (!Number.isFinite(sum) || sum < 0) return null;
  if (sum === 0) return mapPercents(() => 0);
  const finite = bounds.filter(Number.isFinite).length;
  if (finite === 0) return null;
  const buckets = bounds
    .slice(0, finite)
    .map((upper, at) => createPlacedBucket(at === 0 ? 0 : bounds[at - 1]!, upper, learned[at] ?? null));
  return readPercentiles(placeAll(buckets, scaleDown(increase), bounds[finite - 1]!));
}

/** Bucket counts, and the sum of all observations. */
interface BucketTotals {
  /** Observations by bucket, not cumulative; fractional after scaling. */
  readonly counts: readonly number[];
  readonly sum: number;
}

/** Converts cumulative counts to bucket counts, scaled down to the maximum number of observations. */
function scaleDown(increase: Increase): BucketTotals {
  let below = 0;
  const counts = Array.from(increase.cumulative, cumulated => {
    const upTo = Math.trunc(cumulated);
    const inside = upTo - below;
    below = upTo;
    return inside;
  });
  return limitObservations({ counts, sum: increase.sum }, counts.length);
}

/** Scales counts and sum so that the first `buckets` counts add up to at most `MAX_OBSERVATIONS`. */
function limitObservations({ counts, sum }: BucketTotals, buckets: number): BucketTotals {
  const ratio = MAX_OBSERVATIONS / sumValues(counts.slice(0, buckets));
  if (!(ratio > 0 && ratio < 1)) return { counts, sum };
  return { counts: counts.map(count => count * ratio), sum: sum * ratio };
}

/** Places the observations of all buckets in ascending order, +Inf last. */
function placeAll(buckets: readonly PlacedBucket[], totals: BucketTotals, highest: number): Placement[] {
  const infCount = Math.max(Math.ceil(totals.counts[buckets.length] ?? 0), 0);
  const estimated = buckets.map(bucket => bucket.mean ?? findMiddle(bucket));
  const finiteSum = sumValues(
    estimated.map((mean, at) => (totals.counts[at]! > 0 ? totals.counts[at]! * mean : 0)),
  );
  const infPlacement = placeInf(infCount, totals.sum - finiteSum, highest);
  const sum = infCount > 0 ? totals.sum - infPlacement.sum : totals.sum;
  return [
    ...placeFinite(buckets, limitObservations({ counts: totals.counts, sum }, buckets.length)),
    infPlacement,
  ];
}

/**
 * Places the observations of the +Inf bucket evenly, from the highest finite bound to its mirror image about
 * the mean.
 */
function placeInf(count: number, sum: number, highest: number): Placement {
  const average = sum / count;
  const mean = sum > 0 && average > highest ? average : highest * INF_FALLBACK;
  if (count <= 1) return { count, sum: count * mean, at: () => mean };
  const mirror = 2 * mean - highest;
  const top = mirror > highest ? mirror : highest * 2;
  const at = (index: number): number => highest + (index * (top - highest)) / (count - 1);
  return { count, sum: (count * (highest + top)) / 2, at };
}

function placeFinite(buckets: readonly PlacedBucket[], { counts, sum }: BucketTotals): Placement[] {
  const wholeCounts = truncateCounts(counts.slice(0, buckets.length));
  const observations = sumValues(counts.slice(0, buckets.length));
  const dominant = findDominantBucket(counts.slice(0, buckets.length), observations);
  const placed = buckets.map((bucket, at) => {
    const average = sum / observations;
    const isInside = at === dominant && bucket.lower < average && average < bucket.upper;
    return placeInBucket(wholeCounts[at]!, bucket, isInside ? average : (bucket.mean ?? findMiddle(bucket)));
  });
  return shiftTowardSum(placed, buckets, sum);
}

/**
 * Truncates counts to integers. A negative count (inconsistent buckets) reduces the counts of the last
 * buckets, as in AIPerf, which uses an array of fixed size.
 */
function truncateCounts(counts: readonly number[]): number[] {
  let remaining = sumValues(counts.map(Math.trunc));
  return counts.map(count => {
    const taken = clip(Math.trunc(count), 0, Math.max(remaining, 0));
    remaining -= taken;
    return taken;
  });
}

/** Finds the bucket with at least `DOMINANT_SHARE` of the observations; null if there is none. */
function findDominantBucket(counts: readonly number[], observations: number): number | null {
  if (!(observations > 0)) return null;
  const largest = Math.max(...counts);
  return largest / observations >= DOMINANT_SHARE ? counts.indexOf(largest) : null;
}

/**
 * Shifts observations once toward the true sum. The difference is distributed over the buckets in proportion
 * to their sums.
 */
function shiftTowardSum(placed: Placement[], buckets: readonly PlacedBucket[], sum: number): Placement[] {
  const placedSum = sumValues(placed.map(placement => (placement.count > 0 ? placement.sum : 0)));
  if (placedSum <= 0 || sum <= 0) return placed;
  const missing = sum - placedSum;
  if (Math.abs(missing) / sum < SUM_TOLERANCE) return placed;
  return placed.map((placement, at) => {
    const { lower, upper } = buckets[at]!;
    const share = (missing * (placement.sum / placedSum)) / placement.count;
    const maxShift = (upper - lower) * MAX_SHIFT;
    return placement.count > 0
      ? shiftPlacement(placement, clip(share, -maxShift, maxShift), lower, upper)
      : placement;
  });
}

function readPercentiles(placed: readonly Placement[]): PercentileEstimates | null {
  const count = sumValues(placed.map(placement => placement.count));
  if (count === 0) return null;
  return mapPercents(percent => interpolatePercentile(percent, count, index => findValue(placed, index)));
}

function findValue(placed: readonly Placement[], index: number): number {
  let remaining = index;
  for (const placement of placed) {
    if (remaining < placement.count) return placement.at(remaining);
    remaining -= placement.count;
  }
  throw new RangeError(`BUG: no observation ${index} was placed`);
}

function findMiddle({ lower, upper }: PlacedBucket): number {
  return (lower + upper) / 2;
}

function sumValues(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
