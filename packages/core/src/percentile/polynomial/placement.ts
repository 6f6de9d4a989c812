import type { BucketMoments } from './bucketMoments.ts';

/**
 * Observations placed in one bucket, in ascending order. Unlike in AIPerf, they are computed on demand
 * instead of being stored in an array, so the cost does not depend on their number.
 */
export interface Placement {
  readonly count: number;
  readonly sum: number;
  /** Returns the observation with this index. */
  at(index: number): number;
}

/** A finite bucket: its bounds and learned moments. */
export interface PlacedBucket {
  readonly lower: number;
  readonly upper: number;
  /** Null if the mean was not learned, or is outside the bounds. */
  readonly mean: number | null;
  /** Null if the variance was not learned. */
  readonly variance: number | null;
}

// AIPerf's limits, relative to the bucket width. The spread is 4 standard deviations.
const TIGHT_SPREAD = 0.01;
const NARROW_SPREAD = 0.2;
/** Distance of a central mean from the middle of the bucket. */
const CENTRAL_MEAN = 0.3;
/** Maximum distance of observations from the mean, in standard deviations. */
const MAX_DEVIATIONS = 3;

/** Creates a bucket. A learned mean outside the bounds, caused by a reset or an inconsistent sum, is ignored. */
export function createPlacedBucket(
  lower: number,
  upper: number,
  learned: BucketMoments | null,
): PlacedBucket {
  const isInside = learned !== null && lower < learned.mean && learned.mean < upper;
  return { lower, upper, mean: isInside ? learned.mean : null, variance: learned?.variance ?? null };
}

/**
 * Places observations in one bucket (AIPerf's phase 4). With a learned mean and a learned variance above 0:
 * at two points if the spread is tiny, as a blend of even placement and two slopes if the spread is narrow
 * and the mean is central, otherwise on two slopes. Without them: evenly around `center`.
 *
 * @param center center of the even placement: the average of a dominant bucket, the learned mean, or the
 * middle
 */
export function placeInBucket(count: number, bucket: PlacedBucket, center: number): Placement {
  const { lower, upper, mean, variance } = bucket;
  if (mean === null || variance === null || !(variance > 0)) return placeEvenly(count, lower, upper, center);
  const width = upper - lower;
  const deviation = Math.sqrt(variance);
  const spread = (4 * deviation) / width;
  if (spread < TIGHT_SPREAD) return placeAtTwoPoints(count, lower, upper, mean, variance);
  const slopes = placeOnTwoSlopes(count, lower, upper, mean, deviation);
  const isCentral = Math.abs(mean - (lower + upper) / 2) / width < CENTRAL_MEAN;
  if (spread < NARROW_SPREAD && isCentral) return blend(placeEvenly(count, lower, upper, mean), slopes);
  return slopes;
}

/** Shifts all observations by `shift`, clipped to the bucket. */
export function shiftPlacement(placement: Placement, shift: number, lower: number, upper: number): Placement {
  const at = (index: number): number => clip(placement.at(index) + shift, lower, upper);
  return { count: placement.count, sum: Number.NaN, at };
}

/**
 * Places observations at the middles of `count` equal parts of the bucket, shifted so that their middle is at
 * `center`, and clipped to the bucket.
 */
function placeEvenly(count: number, lower: number, upper: number, center: number): Placement {
  const width = upper - lower;
  const shift = center - (lower + upper) / 2;
  const at = (index: number): number => clip(lower + width * ((index + 0.5) / count) + shift, lower, upper);
  return { count, at, sum: sumClipped(count, lower + shift, width / count, lower, upper) };
}

/**
 * Places half of the observations between the lower bound and the mean, and the other half between the mean
 * and the upper bound, within three standard deviations of the mean.
 */
function placeOnTwoSlopes(
  count: number,
  lower: number,
  upper: number,
  mean: number,
  deviation: number,
): Placement {
  const down = Math.min((mean - lower) / deviation, MAX_DEVIATIONS) * deviation;
  const up = Math.min((upper - mean) / deviation, MAX_DEVIATIONS) * deviation;
  const at = (index: number): number => {
    const fraction = (index + 0.5) / count;
    const reach = fraction < 0.5 ? down : up;
    return clip(mean + reach * (2 * fraction - 1), lower, upper);
  };
  const half = Math.floor(count / 2);
  // The sum of 1 - 2 * fraction over the lower half; with an odd count, the middle observation is at the mean.
  const reached = half - (half * half) / count;
  return { count, at, sum: count * mean + reached * (up - down) };
}

/**
 * Places observations at the lower bound and at one other point, so that they have this mean and variance (F3 of arXiv
 * 2504.00001).
 */
function placeAtTwoPoints(
  count: number,
  lower: number,
  upper: number,
  mean: number,
  variance: number,
): Placement {
  const above = mean - lower;
  const point = clip(mean + variance / above, lower, upper);
  const atLower = Math.trunc(count * clip(variance / (variance + above * above), 0, 1));
  const at = (index: number): number => (index < atLower ? lower : point);
  return { count, at, sum: atLower * lower + (count - atLower) * point };
}

/** Averages two placements of the same observations. */
function blend(a: Placement, b: Placement): Placement {
  const at = (index: number): number => 0.5 * a.at(index) + 0.5 * b.at(index);
  return { count: a.count, at, sum: 0.5 * a.sum + 0.5 * b.sum };
}

/** Computes the sum of clip(start + step (i + 1/2)) over i < count in constant time. */
function sumClipped(count: number, start: number, step: number, lower: number, upper: number): number {
  if (!(step > 0)) return count * clip(start, lower, upper);
  const clippedBelow = clip(Math.ceil((lower - start) / step - 0.5), 0, count);
  const notAbove = clip(Math.floor((upper - start) / step - 0.5) + 1, clippedBelow, count);
  const inside = notAbove - clippedBelow;
  const middle = start + (step * (clippedBelow + notAbove)) / 2;
  return clippedBelow * lower + inside * middle + (count - notAbove) * upper;
}

/** Clips like NumPy: if `lower` is above `upper`, the result is `upper`. */
export function clip(value: number, lower: number, upper: number): number {
  return Math.min(Math.max(value, lower), upper);
}
