import type { LearnedBucket } from './bucketMoments.ts';

/**
 * Observations placed in one bucket, in ascending order: a formula in place of the array that AIPerf fills, so that
 * 100,000 of them cost as little as ten.
 */
export interface Placement {
  readonly count: number;
  readonly sum: number;
  at(index: number): number;
}

/** A finite bucket as the placements see it: its bounds, and what was learned about it. */
export interface PlacedBucket {
  readonly lower: number;
  readonly upper: number;
  /** Null when it was never learned, or does not lie between the bounds. */
  readonly mean: number | null;
  readonly variance: number | null;
}

/** AIPerf's limits, as shares of the bucket's width: 4 standard deviations, and the mean's distance from the middle. */
const TIGHT_SPREAD = 0.01;
const NARROW_SPREAD = 0.2;
const CENTRAL_MEAN = 0.3;
/** Observations are placed at most this many standard deviations from the mean. */
const MAX_DEVIATIONS = 3;

/** What was learned about a bucket, less a mean that cannot be one (after a reset, or from a sum out of step). */
export function placedBucket(lower: number, upper: number, learned: LearnedBucket | null): PlacedBucket {
  const inside = learned !== null && lower < learned.mean && learned.mean < upper;
  return { lower, upper, mean: inside ? learned.mean : null, variance: learned?.variance ?? null };
}

/**
 * AIPerf's phase 4 for one bucket: two points when the learned spread is tiny, a blend when it is narrow and
 * central, two slopes when there is a variance at all, else evenly around `centre`.
 *
 * @param centre of the even placement: the dominant bucket's average, the learned mean, or the middle
 */
export function place(count: number, bucket: PlacedBucket, centre: number): Placement {
  const { lower, upper, mean, variance } = bucket;
  if (mean === null || variance === null || !(variance > 0)) return evenly(count, lower, upper, centre);
  const width = upper - lower;
  const deviation = Math.sqrt(variance);
  const spread = (4 * deviation) / width;
  if (spread < TIGHT_SPREAD) return twoPoints(count, lower, upper, mean, variance);
  const slopes = twoSlopes(count, lower, upper, mean, deviation);
  const central = Math.abs(mean - (lower + upper) / 2) / width < CENTRAL_MEAN;
  if (spread < NARROW_SPREAD && central) return halfOfEach(evenly(count, lower, upper, mean), slopes);
  return slopes;
}

/** Each observation moved by `shift`, but not out of the bucket. */
export function shifted(placement: Placement, shift: number, lower: number, upper: number): Placement {
  const at = (index: number): number => clip(placement.at(index) + shift, lower, upper);
  return { count: placement.count, sum: Number.NaN, at };
}

/** At the middles of `count` equal parts of the bucket, all moved so that they lie around the centre. */
function evenly(count: number, lower: number, upper: number, centre: number): Placement {
  const width = upper - lower;
  const shift = centre - (lower + upper) / 2;
  const at = (index: number): number => clip(lower + width * ((index + 0.5) / count) + shift, lower, upper);
  return { count, at, sum: sumOfClipped(count, lower + shift, width / count, lower, upper) };
}

/** From `mean` down to the lower bound and up to the upper one, each no further than three deviations. */
function twoSlopes(count: number, lower: number, upper: number, mean: number, deviation: number): Placement {
  const down = Math.min((mean - lower) / deviation, MAX_DEVIATIONS) * deviation;
  const up = Math.min((upper - mean) / deviation, MAX_DEVIATIONS) * deviation;
  const at = (index: number): number => {
    const fraction = (index + 0.5) / count;
    const reach = fraction < 0.5 ? down : up;
    return clip(mean + reach * (2 * fraction - 1), lower, upper);
  };
  const half = Math.floor(count / 2);
  // The sum of 1 - 2 fraction over the lower half; an odd one in the middle stands at the mean itself.
  const reached = half - (half * half) / count;
  return { count, at, sum: count * mean + reached * (up - down) };
}

/** The F3 distribution of arXiv 2504.00001: mass at the lower bound and at one point, with that mean and variance. */
function twoPoints(count: number, lower: number, upper: number, mean: number, variance: number): Placement {
  const above = mean - lower;
  const point = clip(mean + variance / above, lower, upper);
  const atLower = Math.trunc(count * clip(variance / (variance + above * above), 0, 1));
  const at = (index: number): number => (index < atLower ? lower : point);
  return { count, at, sum: atLower * lower + (count - atLower) * point };
}

function halfOfEach(a: Placement, b: Placement): Placement {
  const at = (index: number): number => 0.5 * a.at(index) + 0.5 * b.at(index);
  return { count: a.count, at, sum: 0.5 * a.sum + 0.5 * b.sum };
}

/** The sum of clip(start + step (i + 1/2)) over i < count, without walking them. */
function sumOfClipped(count: number, start: number, step: number, lower: number, upper: number): number {
  if (!(step > 0)) return count * clip(start, lower, upper);
  const clippedBelow = clip(Math.ceil((lower - start) / step - 0.5), 0, count);
  const notAbove = clip(Math.floor((upper - start) / step - 0.5) + 1, clippedBelow, count);
  const inside = notAbove - clippedBelow;
  const middle = start + (step * (clippedBelow + notAbove)) / 2;
  return clippedBelow * lower + inside * middle + (count - notAbove) * upper;
}

/** As NumPy's clip: with the bounds crossed, the upper one wins. */
export function clip(value: number, lower: number, upper: number): number {
  return Math.min(Math.max(value, lower), upper);
}
