import type { Density } from './density.ts';
import type { Model } from './model.ts';
import type { Sample } from './sample.ts';

/** An interval of more observations than this (in independent ones) says next to nothing about a single one. */
const MOST_OBSERVATIONS = 6;
const MAX_STEPS = 10;
/** Relative error of an interval's expected sum that is small enough. */
const SUM_TOLERANCE = 1e-4;

/** A density as the tilting reads it: places of the cells about the mean. */
interface Centred {
  readonly density: Density;
  /** Cell by cell: how far its middle lies from the mean. */
  readonly offset: Float64Array;
  readonly mean: number;
  readonly variance: number;
  readonly top: number;
}

/** The observations of one interval in one bucket: where they may lie, given the interval's sum. */
interface Part {
  readonly bucket: number;
  readonly count: number;
  readonly base: Float64Array;
  readonly mass: Float64Array;
}

/**
 * By active bucket and cell: how many observations lie there. Intervals of few observations are looked at one by one:
 * the buckets' densities are tilted, p(x) exp(lambda x - x^2 / 2V), until the expected sum of the interval is its
 * true one (V is the variance of its other observations). The other intervals follow the densities as they are.
 *
 * @param exact rows whose observations are known and not to be placed
 */
export function placeObservations(
  sample: Sample,
  model: Model,
  densities: readonly Density[],
  exact: Uint8Array,
): Float64Array[] {
  const centred = densities.map(centre);
  const placed = densities.map(density => new Float64Array(density.mass.length));
  const untilted = new Float64Array(densities.length);
  for (let row = 0; row < sample.rows; row += 1) {
    if (exact[row] === 1) continue;
    const size = sample.size[row]!;
    if (size / (1 + (size - 1) * model.correlation) > MOST_OBSERVATIONS) {
      for (let at = sample.start[row]!; at < sample.start[row + 1]!; at += 1) {
        untilted[sample.active[at]!]! += sample.count[at]!;
      }
      continue;
    }
    for (const { bucket, count, mass } of tilt(sample, row, centred)) {
      const cells = placed[bucket]!;
      for (let cell = 0; cell < mass.length; cell += 1) cells[cell]! += count * mass[cell]!;
    }
  }
  for (const [bucket, { mass }] of densities.entries()) {
    for (let cell = 0; cell < mass.length; cell += 1)
      placed[bucket]![cell]! += untilted[bucket]! * mass[cell]!;
  }
  return placed;
}

function centre(density: Density): Centred {
  const { lower, upper, mass } = density;
  let mean = 0;
  let square = 0;
  for (let cell = 0; cell < mass.length; cell += 1) {
    const middle = (lower[cell]! + upper[cell]!) / 2;
    mean += mass[cell]! * middle;
    square += mass[cell]! * middle * middle;
  }
  const offset = lower.map((edge, cell) => (edge + upper[cell]!) / 2 - mean);
  const variance = offset.reduce((all, step, cell) => all + mass[cell]! * step * step, 0);
  return {
    density,
    offset,
    mean,
    variance: Math.max(variance, 1e-30),
    top: upper[Math.max(density.cells, 1) - 1]!,
  };
}

function tilt(sample: Sample, row: number, centred: readonly Centred[]): Part[] {
  const { start, active, count, lower, sum, tolerance } = sample;
  let variance = 0;
  let target = sum[row]!;
  let least = 0;
  let most = 0;
  for (let at = start[row]!; at < start[row + 1]!; at += 1) {
    const bucket = active[at]!;
    const { mean, top } = centred[bucket]!;
    variance += count[at]! * centred[bucket]!.variance;
    target -= count[at]! * mean;
    least += count[at]! * lower[bucket]!;
    most += count[at]! * top;
  }
  const parts: Part[] = [];
  for (let at = start[row]!; at < start[row + 1]!; at += 1) {
    const bucket = active[at]!;
    const from = sum[row]! - (most - centred[bucket]!.top) - tolerance;
    const to = sum[row]! - (least - lower[bucket]!) + tolerance;
    const base = possible(centred[bucket]!, variance, from, to);
    parts.push({ bucket, count: count[at]!, base, mass: new Float64Array(base.length) });
  }
  matchSum(parts, centred, target, variance, SUM_TOLERANCE * (Math.abs(sum[row]!) + Number.MIN_VALUE));
  return parts;
}

/** A bucket's masses, weighed by how well the interval's other observations can make up the rest, if at all. */
function possible(
  { density, offset, variance }: Centred,
  all: number,
  from: number,
  to: number,
): Float64Array {
  const { lower, upper, mass } = density;
  const others = Math.max(all - variance, 1e-6 * variance);
  const base = new Float64Array(mass.length);
  let total = 0;
  for (let cell = 0; cell < mass.length; cell += 1) {
    if (lower[cell]! > to || upper[cell]! < from) continue;
    const step = offset[cell]!;
    base[cell] = mass[cell]! * Math.exp((-step * step) / (2 * others));
    total += base[cell]!;
  }
  return total > 0 ? base : mass;
}

/** Newton's method on lambda, kept in a bracket: the expected sum grows with it. */
function matchSum(
  parts: readonly Part[],
  centred: readonly Centred[],
  target: number,
  variance: number,
  tolerance: number,
): void {
  let lambda = target / variance;
  let below = Number.NEGATIVE_INFINITY;
  let above = Number.POSITIVE_INFINITY;
  for (let step = 0; step < MAX_STEPS; step += 1) {
    let expected = 0;
    let spread = 0;
    let size = 0;
    for (const part of parts) {
      const moments = weigh(part, centred[part.bucket]!.offset, lambda);
      expected += part.count * moments.mean;
      spread += part.count * Math.max(moments.square - moments.mean * moments.mean, 1e-30);
      size += part.count;
    }
    const missing = target - expected;
    if (Math.abs(missing) <= tolerance) return;
    if (missing > 0) below = Math.max(below, lambda);
    else above = Math.min(above, lambda);
    const most = 2 / Math.sqrt(spread / size);
    const next = lambda + Math.min(Math.max(missing / spread, -most), most);
    const outside = Number.isFinite(below) && Number.isFinite(above) && (next <= below || next >= above);
    lambda = outside ? (below + above) / 2 : next;
  }
}

/** Sets the masses to base exp(lambda offset), normalised, and gives their mean and mean square. */
function weigh(part: Part, offset: Float64Array, lambda: number): { mean: number; square: number } {
  const { base, mass } = part;
  const first = offset[0]!;
  let top = Number.NEGATIVE_INFINITY;
  for (let cell = 0; cell < base.length; cell += 1) {
    if (base[cell]! > 0) top = Math.max(top, lambda * offset[cell]!);
  }
  let total = 0;
  let mean = 0;
  let square = 0;
  for (let cell = 0; cell < base.length; cell += 1) {
    const step = offset[cell]!;
    const one = base[cell]! > 0 ? base[cell]! * Math.exp(lambda * step - top) : 0;
    mass[cell] = one;
    total += one;
    mean += one * step;
    square += one * step * step;
  }
  if (!(total > 0)) return { mean: first, square: first * first };
  for (let cell = 0; cell < base.length; cell += 1) mass[cell]! /= total;
  return { mean: mean / total, square: square / total };
}
