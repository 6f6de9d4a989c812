import { type Increase, increaseOf } from '../../period/resets.ts';
import type { HistogramWindow, PercentileEstimates } from '../estimator.ts';
import { forEachPercent, linearPercentile } from '../percents.ts';
import { type LearnedBucket, learnBuckets } from './bucketMoments.ts';
import { clip, type PlacedBucket, type Placement, place, placedBucket, shifted } from './placement.ts';

/** AIPerf never places more observations than this: counts and sum are scaled down to it. */
const MAX_OBSERVATIONS = 100_000;
/** A bucket with this share of the finite observations takes their average for its centre. */
const DOMINANT_SHARE = 0.95;
/** Observations in +Inf without a usable sum are placed around this multiple of the highest finite bound. */
const INF_FALLBACK = 1.5;
/** A placed sum within this share of the true one is left as it is. */
const SUM_TOLERANCE = 0.001;
/** No observation is moved by more than this share of its bucket's width. */
const MAX_SHIFT = 0.4;

/**
 * AIPerf's polynomial histogram algorithm (seed 001, "Histogram Percentile Estimation"; arXiv 2504.00001), with
 * AIPerf's results: learn bucket means from the scrapes, estimate the finite buckets' sums, give +Inf the rest of
 * the sum, place observations and move them towards the sum.
 *
 * Null without observations, without a finite bucket, or when the sum is negative or not finite.
 */
export function polynomialPercentiles(window: HistogramWindow): PercentileEstimates | null {
  const bounds = window.bounds.map(bound => bound.le);
  return polynomialFrom(bounds, increaseOf(window), learnBuckets(window));
}

/** The same from its ingredients: the increase of the period, and what was learned about each bucket. */
export function polynomialFrom(
  bounds: readonly number[],
  increase: Increase,
  learned: readonly (LearnedBucket | null)[],
): PercentileEstimates | null {
  const { count, sum } = increase;
  if (!(Math.trunc(count) > 0) || bounds.length === 0) return null;
  if (!Number.isFinite(sum) || sum < 0) return null;
  if (sum === 0) return forEachPercent(() => 0);
  const finite = bounds.filter(Number.isFinite).length;
  if (finite === 0) return null;
  const buckets = bounds
    .slice(0, finite)
    .map((upper, at) => placedBucket(at === 0 ? 0 : bounds[at - 1]!, upper, learned[at] ?? null));
  return percentilesOf(placements(buckets, scaledDown(increase), bounds[finite - 1]!));
}

interface Counted {
  /** Observations in each bucket, not cumulative; scaled down, so not always whole. */
  readonly counts: readonly number[];
  readonly sum: number;
}

function scaledDown(increase: Increase): Counted {
  let below = 0;
  const counts = Array.from(increase.cumulative, cumulated => {
    const upTo = Math.trunc(cumulated);
    const inside = upTo - below;
    below = upTo;
    return inside;
  });
  return limited({ counts, sum: increase.sum }, counts.length);
}

/** Scales by what brings the first `buckets` of them down to the limit. */
function limited({ counts, sum }: Counted, buckets: number): Counted {
  const ratio = MAX_OBSERVATIONS / total(counts.slice(0, buckets));
  if (!(ratio > 0 && ratio < 1)) return { counts, sum };
  return { counts: counts.map(count => count * ratio), sum: sum * ratio };
}

/** All buckets' observations in ascending order, +Inf's last. */
function placements(buckets: readonly PlacedBucket[], counted: Counted, highest: number): Placement[] {
  const inInf = Math.max(Math.ceil(counted.counts[buckets.length] ?? 0), 0);
  const estimated = buckets.map(bucket => bucket.mean ?? middleOf(bucket));
  const finiteSum = total(
    estimated.map((mean, at) => (counted.counts[at]! > 0 ? counted.counts[at]! * mean : 0)),
  );
  const inf = placeInf(inInf, counted.sum - finiteSum, highest);
  const sum = inInf > 0 ? counted.sum - inf.sum : counted.sum;
  return [...placeFinite(buckets, limited({ counts: counted.counts, sum }, buckets.length)), inf];
}

/** Evenly from the highest finite bound to as far above the mean as that bound is below it. */
function placeInf(count: number, sum: number, highest: number): Placement {
  const average = sum / count;
  const mean = sum > 0 && average > highest ? average : highest * INF_FALLBACK;
  if (count <= 1) return { count, sum: count * mean, at: () => mean };
  const mirrored = 2 * mean - highest;
  const top = mirrored > highest ? mirrored : highest * 2;
  const at = (index: number): number => highest + (index * (top - highest)) / (count - 1);
  return { count, sum: (count * (highest + top)) / 2, at };
}

function placeFinite(buckets: readonly PlacedBucket[], { counts, sum }: Counted): Placement[] {
  const whole = wholeCounts(counts.slice(0, buckets.length));
  const observations = total(counts.slice(0, buckets.length));
  const dominant = dominantBucket(counts.slice(0, buckets.length), observations);
  const placed = buckets.map((bucket, at) => {
    const average = sum / observations;
    const inside = at === dominant && bucket.lower < average && average < bucket.upper;
    return place(whole[at]!, bucket, inside ? average : (bucket.mean ?? middleOf(bucket)));
  });
  return towardsSum(placed, buckets, sum);
}

/**
 * The fractions that scaling left are dropped. A negative count (buckets out of order) takes its observations from
 * the last buckets, as the fixed size of AIPerf's array does.
 */
function wholeCounts(counts: readonly number[]): number[] {
  let left = total(counts.map(Math.trunc));
  return counts.map(count => {
    const taken = clip(Math.trunc(count), 0, Math.max(left, 0));
    left -= taken;
    return taken;
  });
}

function dominantBucket(counts: readonly number[], observations: number): number | null {
  if (!(observations > 0)) return null;
  const largest = Math.max(...counts);
  return largest / observations >= DOMINANT_SHARE ? counts.indexOf(largest) : null;
}

/** One pass towards the true sum: each bucket takes a share of what is missing in proportion to its own sum. */
function towardsSum(placed: Placement[], buckets: readonly PlacedBucket[], sum: number): Placement[] {
  const placedSum = total(placed.map(placement => (placement.count > 0 ? placement.sum : 0)));
  if (placedSum <= 0 || sum <= 0) return placed;
  const missing = sum - placedSum;
  if (Math.abs(missing) / sum < SUM_TOLERANCE) return placed;
  return placed.map((placement, at) => {
    const { lower, upper } = buckets[at]!;
    const share = (missing * (placement.sum / placedSum)) / placement.count;
    const most = (upper - lower) * MAX_SHIFT;
    return placement.count > 0 ? shifted(placement, clip(share, -most, most), lower, upper) : placement;
  });
}

function percentilesOf(placed: readonly Placement[]): PercentileEstimates | null {
  const count = total(placed.map(placement => placement.count));
  if (count === 0) return null;
  return forEachPercent(percent => linearPercentile(percent, count, index => valueAt(placed, index)));
}

function valueAt(placed: readonly Placement[], index: number): number {
  let left = index;
  for (const placement of placed) {
    if (left < placement.count) return placement.at(left);
    left -= placement.count;
  }
  throw new RangeError(`BUG: no observation ${index} was placed`);
}

function middleOf({ lower, upper }: PlacedBucket): number {
  return (lower + upper) / 2;
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
