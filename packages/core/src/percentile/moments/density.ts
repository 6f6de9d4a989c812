import { maximumEntropy } from './entropy.ts';
import type { Known } from './exact.ts';
import { gridOf } from './grid.ts';
import type { Model } from './model.ts';
import { type Prior, scaleOfInf } from './prior.ts';
import type { Sample } from './sample.ts';
import { densityAt } from './shape.ts';

/**
 * Where the observations of a bucket lie: cells with an even spread between their edges, in ascending order, and
 * after them points (cells without width).
 */
export interface Density {
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  /** Sums to 1. */
  readonly mass: Float64Array;
  /** How many of the cells have a width; the others are points. */
  readonly cells: number;
}

/** Values that were seen so often on their own are points of mass. */
const POINT_SIGHTINGS = 3;
/** A known value counts as much as this share of one unit of belief in the smooth density. */
const SMOOTH_WEIGHT = 4;
/** A point that was only seen among known values has next to no mass beside them. */
const TRACE = 1e-12;
/** A variance much above this multiple of the squared mean (over the last bound) calls for a heavy tail in +Inf. */
const HEAVY = 1.3;

/** The density of an active bucket from its mean and variance, the prior's shape, and the values that are known. */
export function densityOf(sample: Sample, prior: Prior, model: Model, bucket: number, known: Known): Density {
  const lower = sample.lower[bucket]!;
  const upper = Number.isFinite(sample.upper[bucket]!)
    ? sample.upper[bucket]!
    : reachOfInf(sample, model, bucket, known);
  if (!(upper > lower)) return point(lower);
  const width = upper - lower;
  const within = Math.max(model.variance[bucket]! * (1 - model.common[bucket]!), (1e-4 * width) ** 2);
  const mean = Math.min(Math.max(model.mean[bucket]!, lower + 1e-6 * width), upper - 1e-6 * width);
  const tail = upper !== sample.upper[bucket];
  const edges = gridOf(lower, upper, mean, Math.sqrt(within), tail);
  const at = middles(edges);
  const shape = prior.shape[bucket] ?? null;
  const weight = at.map((x, cell) => {
    const size = edges[cell + 1]! - edges[cell]!;
    return shape === null ? size : size * densityAt(shape, lower, upper, x);
  });
  const zeros = bucket === 0 && model.zeros ? shareOfZeros(at, weight, model.mean[0]!, width) : 0;
  const smooth =
    zeros > 0
      ? maximumEntropy(at, weight, Math.min(model.mean[0]! / (1 - zeros), upper), width * width)
      : tail && model.variance[bucket]! > HEAVY * (mean - lower) ** 2
        ? lomax(edges, mean - lower, model.variance[bucket]!)
        : maximumEntropy(at, weight, mean, within);
  return withKnown(edges, smooth, zeros, known, 4 * sample.tolerance);
}

function point(value: number): Density {
  const one = Float64Array.of(value);
  return { lower: one, upper: one, mass: Float64Array.of(1), cells: 0 };
}

/** Up to where +Inf is looked at. */
function reachOfInf(sample: Sample, model: Model, bucket: number, known: Known): number {
  const edge = sample.lower[bucket]!;
  const above = Math.max(model.mean[bucket]! - edge, 1e-3 * scaleOfInf(sample));
  const seen = (known.value.at(-1) ?? edge) - edge;
  const spread = model.mean[bucket]! - edge + 8 * Math.sqrt(model.variance[bucket]!);
  return edge + Math.max(14 * above, spread, 1.05 * seen);
}

/** What share of the first bucket must be 0, for the rest to lie as its shape says. */
function shareOfZeros(at: Float64Array, weight: Float64Array, mean: number, width: number): number {
  const total = weight.reduce((all, one) => all + one, 0);
  const shaped = weight.reduce((all, one, cell) => all + one * at[cell]!, 0) / total;
  const rest = Math.min(Math.max(shaped, 0.35 * width), 0.8 * width);
  return Math.min(Math.max(1 - mean / rest, 0), 1 - 1e-9);
}

/** A tail heavier than an exponential one, with this mean and variance above the first edge. */
function lomax(edges: Float64Array, mean: number, variance: number): Float64Array {
  const squared = variance / (mean * mean);
  const power = Math.max((2 * squared) / (squared - 1), 2.02);
  const survival = edges.map(edge => (1 + (edge - edges[0]!) / (mean * (power - 1))) ** -power);
  const mass = new Float64Array(edges.length - 1).map((_, cell) => survival[cell]! - survival[cell + 1]!);
  const total = mass.reduce((all, one) => all + one, 0);
  return mass.map(one => one / total);
}

/** Blends the smooth density with where the known values lie. */
function withKnown(
  edges: Float64Array,
  smooth: Float64Array,
  zeros: number,
  known: Known,
  tolerance: number,
): Density {
  const points: number[] = zeros > 0 ? [0] : [];
  known.value.forEach((value, at) => {
    const isNew = points.every(point => Math.abs(point - value) > tolerance);
    if (known.times[at]! >= POINT_SIGHTINGS && isNew) points.push(value);
  });
  const cells = smooth.length;
  const mass = new Float64Array(cells + points.length).fill(TRACE);
  smooth.forEach((one, cell) => {
    mass[cell] = one * (1 - zeros);
  });
  if (zeros > 0) mass[cells] = zeros;
  const seen = known.times.reduce((all, times) => all + times, 0);
  if (seen > 0) {
    for (let cell = 0; cell < mass.length; cell += 1) mass[cell]! *= SMOOTH_WEIGHT / (seen + SMOOTH_WEIGHT);
    known.value.forEach((value, at) => {
      const nearest = points.findIndex(point => Math.abs(point - value) <= tolerance);
      const cell = nearest >= 0 ? cells + nearest : cellOf(edges, value);
      mass[cell]! += known.times[at]! / (seen + SMOOTH_WEIGHT);
    });
  }
  return {
    lower: joined(edges.subarray(0, cells), points),
    upper: joined(edges.subarray(1), points),
    mass,
    cells,
  };
}

function joined(first: Float64Array, second: readonly number[]): Float64Array {
  const both = new Float64Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

function cellOf(edges: Float64Array, value: number): number {
  let low = 0;
  let high = edges.length - 2;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (edges[middle + 1]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function middles(edges: Float64Array): Float64Array {
  return edges.subarray(1).map((edge, cell) => (edge + edges[cell]!) / 2);
}
