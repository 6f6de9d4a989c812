import type { BucketEdges } from '../bucketEdges.ts';
import { densityAt, type Shape } from './bucketShape.ts';
import type { Sample } from './sample.ts';

/** What is believed of the active buckets before their sums are looked at. */
export interface Prior {
  readonly mean: Float64Array;
  readonly variance: Float64Array;
  /** How far the mean may be off: a standard deviation. */
  readonly slack: Float64Array;
  /** Null for +Inf and for buckets without width. */
  readonly shape: readonly (Shape | null)[];
}

/** Added to each count, so that an empty bucket pulls its neighbours down, but not to nothing. */
const PSEUDO_COUNT = 0.3;
/** The density at 0, as a share of the first bucket's: where it falls from the first bucket to the second, and where not. */
const FALLING_AT_ZERO = 0.5;
const RISING_AT_ZERO = 0.05;
/** The slack of a bucket's mean, as a share of its width. */
const MEAN_SLACK = 0.12;
/** A first bucket whose neighbour holds less than this share of its count stands alone: idle queues, cache hits. */
const ALONE = 0.02;
/** Where the mean of such a bucket lies, and its variance, in widths. */
const ALONE_MEAN = 0.15;
const ALONE_VARIANCE = 0.02;
/** The density is read off at so many places of a bucket. */
const PLACES = 32;

/** Densities that slope as the counts of the neighbouring buckets do, and the moments that follow from them. */
export function priorOf(sample: Sample): Prior {
  const { bucket, lower, upper, width } = sample;
  const heights = densities(sample);
  const prior = {
    mean: lower.slice(),
    variance: new Float64Array(bucket.length),
    slack: width.map(size => MEAN_SLACK * size),
    shape: bucket.map((index, active) =>
      isPlain(width[active]!) ? slope(sample.edges, heights, index) : null,
    ),
  };
  for (const [active, shape] of prior.shape.entries()) {
    if (shape === null) continue;
    const alone = standsAlone(sample, bucket[active]!);
    const place = alone
      ? { mean: ALONE_MEAN, variance: ALONE_VARIANCE }
      : placeOf(shape, lower[active]!, upper[active]!);
    prior.mean[active]! += width[active]! * place.mean;
    prior.variance[active] = width[active]! * width[active]! * place.variance;
  }
  const last = bucket.length - 1;
  if (upper[last] === Number.POSITIVE_INFINITY) believeInf(sample, prior, last);
  return prior;
}

/** Whether the bucket begins at 0 and the next one is all but empty. */
export function standsAlone({ totals, edges }: Sample, bucket: number): boolean {
  return bucket === 0 && edges.lower[0] === 0 && (totals[1] ?? 0) <= ALONE * totals[0]!;
}

/** Observations per unit, by bucket, active or not. */
export function densities({ totals, edges }: Sample): Float64Array {
  return totals.map((count, bucket) => {
    const width = widthOf(edges, bucket);
    return width > 0 ? (count + PSEUDO_COUNT) / width : 0;
  });
}

function widthOf({ lower, upper }: BucketEdges, bucket: number): number {
  if (Number.isFinite(upper[bucket]!)) return upper[bucket]! - lower[bucket]!;
  return bucket === 0 ? 1 : upper[bucket - 1]! - lower[bucket - 1]!;
}

function isPlain(width: number): boolean {
  return width > 0 && Number.isFinite(width);
}

/** At an edge the logarithm of the density runs straight from the middle of one bucket to that of the next. */
function slope(edges: BucketEdges, heights: Float64Array, bucket: number): Shape {
  const own = heights[bucket]!;
  const width = widthOf(edges, bucket);
  const atEdge = (neighbour: number): number => {
    const weight = width / (width + widthOf(edges, neighbour));
    return own ** (1 - weight) * heights[neighbour]! ** weight;
  };
  const atZero = own > heights[bucket + 1]! ? FALLING_AT_ZERO : RISING_AT_ZERO;
  const hasLeft = bucket > 0 && widthOf(edges, bucket - 1) > 0;
  return [hasLeft ? atEdge(bucket - 1) : atZero * own, own, atEdge(bucket + 1)];
}

/** Mean and variance of a shape, in widths from the lower edge. */
function placeOf(shape: Shape, lower: number, upper: number): { mean: number; variance: number } {
  let mass = 0;
  let first = 0;
  let second = 0;
  for (let at = 0; at < PLACES; at += 1) {
    const place = (at + 0.5) / PLACES;
    const density = densityAt(shape, lower, upper, lower + place * (upper - lower));
    mass += density;
    first += density * place;
    second += density * place * place;
  }
  const mean = first / mass;
  return { mean, variance: second / mass - mean * mean };
}

/** +Inf holds what the finite buckets leave of the sum; next to nothing is known of its spread. */
function believeInf(sample: Sample, prior: Prior, inf: number): void {
  const edge = sample.lower[inf]!;
  const scale = scaleOfInf(sample);
  let rest = sample.whole;
  for (let active = 0; active < inf; active += 1) rest -= sample.total[active]! * prior.mean[active]!;
  const mean = Math.max(rest / sample.total[inf]!, edge + 0.2 * scale);
  prior.mean[inf] = mean;
  prior.slack[inf] = Math.max(mean - edge, scale);
  prior.variance[inf] = (mean - edge) ** 2;
}

/** What counts as far above the last finite bound. */
function scaleOfInf({ edges }: Sample): number {
  const edge = Math.abs(edges.lower.at(-1)!);
  return edge > 0 ? edge : 1;
}
