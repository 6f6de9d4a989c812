import type { BucketEdges } from '../bucketEdges.ts';
import { createInterpolation, type Shape } from './bucketShape.ts';
import type { Sample } from './sample.ts';

/** Prior moments of the active buckets, estimated only from bucket counts. */
export interface Prior {
  readonly mean: Float64Array;
  readonly variance: Float64Array;
  /** Standard deviation of the mean. */
  readonly meanDeviation: Float64Array;
  /** Shape by bucket; null for +Inf and for buckets without width. */
  readonly shape: readonly (Shape | null)[];
}

/** Added to each count, so that the density falls toward an empty bucket, but not to 0. */
const PSEUDO_COUNT = 0.3;
/**
 * Density at 0 relative to the first bucket, if the density falls from the first bucket to the second, and if
 * it rises.
 */
const FALLING_AT_ZERO = 0.5;
const RISING_AT_ZERO = 0.05;
/** Standard deviation of a bucket mean, as a share of the bucket width. */
const MEAN_DEVIATION = 0.12;
/**
 * A first bucket is isolated if the next bucket has less than this share of its count, as with idle queues or
 * cache hits.
 */
const ISOLATED_SHARE = 0.02;
/** Mean and variance of an isolated first bucket, in widths and squared widths. */
const ISOLATED_MEAN = 0.15;
const ISOLATED_VARIANCE = 0.02;
/** Number of points for numerical integration over a bucket. */
const INTEGRATION_POINTS = 32;

/** Estimates bucket shapes from the counts of adjacent buckets, and the moments of these shapes. */
export function estimatePrior(sample: Sample): Prior {
  const { bucket, lower, upper, width } = sample;
  const densities = computeDensities(sample);
  const prior = {
    mean: lower.slice(),
    variance: new Float64Array(bucket.length),
    meanDeviation: width.map(size => MEAN_DEVIATION * size),
    shape: bucket.map((index, active) =>
      isFiniteWidth(width[active]!) ? createShape(sample.edges, densities, index) : null,
    ),
  };
  for (const [active, shape] of prior.shape.entries()) {
    if (shape === null) continue;
    const isIsolated = isIsolatedFirstBucket(sample, bucket[active]!);
    const moments = isIsolated
      ? { mean: ISOLATED_MEAN, variance: ISOLATED_VARIANCE }
      : computeShapeMoments(shape, lower[active]!, upper[active]!);
    prior.mean[active]! += width[active]! * moments.mean;
    prior.variance[active] = width[active]! * width[active]! * moments.variance;
  }
  const last = bucket.length - 1;
  if (upper[last] === Number.POSITIVE_INFINITY) setInfPrior(sample, prior, last);
  return prior;
}

/** Reports whether a bucket starts at 0 and the next bucket is almost empty. */
export function isIsolatedFirstBucket({ totals, edges }: Sample, bucket: number): boolean {
  return bucket === 0 && edges.lower[0] === 0 && (totals[1] ?? 0) <= ISOLATED_SHARE * totals[0]!;
}

/** Computes the density of each bucket, active or not. */
export function computeDensities({ totals, edges }: Sample): Float64Array {
  return totals.map((count, bucket) => {
    const width = computeWidth(edges, bucket);
    return width > 0 ? (count + PSEUDO_COUNT) / width : 0;
  });
}

function computeWidth({ lower, upper }: BucketEdges, bucket: number): number {
  if (Number.isFinite(upper[bucket]!)) return upper[bucket]! - lower[bucket]!;
  return bucket === 0 ? 1 : upper[bucket - 1]! - lower[bucket - 1]!;
}

function isFiniteWidth(width: number): boolean {
  return width > 0 && Number.isFinite(width);
}

/**
 * Creates the shape of a bucket: at an edge, log density is interpolated between the middles of the adjacent
 * buckets.
 */
function createShape(edges: BucketEdges, densities: Float64Array, bucket: number): Shape {
  const ownDensity = densities[bucket]!;
  const width = computeWidth(edges, bucket);
  const atEdge = (adjacent: number): number => {
    const weight = width / (width + computeWidth(edges, adjacent));
    return ownDensity ** (1 - weight) * densities[adjacent]! ** weight;
  };
  const atZero = ownDensity > densities[bucket + 1]! ? FALLING_AT_ZERO : RISING_AT_ZERO;
  const hasLeft = bucket > 0 && computeWidth(edges, bucket - 1) > 0;
  return [hasLeft ? atEdge(bucket - 1) : atZero * ownDensity, ownDensity, atEdge(bucket + 1)];
}

/** Computes mean and variance of a shape, with the lower edge at 0 and the upper edge at 1. */
function computeShapeMoments(shape: Shape, lower: number, upper: number): { mean: number; variance: number } {
  const interpolate = createInterpolation(shape, lower, upper);
  let mass = 0;
  let first = 0;
  let second = 0;
  for (let at = 0; at < INTEGRATION_POINTS; at += 1) {
    const place = (at + 0.5) / INTEGRATION_POINTS;
    const density = interpolate(lower + place * (upper - lower));
    mass += density;
    first += density * place;
    second += density * place * place;
  }
  const mean = first / mass;
  return { mean, variance: second / mass - mean * mean };
}

/**
 * Sets the prior of the +Inf bucket: its mean follows from the sum that remains after all other buckets; its
 * variance is a rough guess.
 */
function setInfPrior(sample: Sample, prior: Prior, inf: number): void {
  const edge = sample.lower[inf]!;
  const scale = findInfScale(sample);
  let remainingSum = sample.totalSum;
  for (let active = 0; active < inf; active += 1) remainingSum -= sample.total[active]! * prior.mean[active]!;
  const mean = Math.max(remainingSum / sample.total[inf]!, edge + 0.2 * scale);
  prior.mean[inf] = mean;
  prior.meanDeviation[inf] = Math.max(mean - edge, scale);
  prior.variance[inf] = (mean - edge) ** 2;
}

/** Returns a length scale for values above the last finite bound. */
function findInfScale({ edges }: Sample): number {
  const edge = Math.abs(edges.lower.at(-1)!);
  return edge > 0 ? edge : 1;
}
