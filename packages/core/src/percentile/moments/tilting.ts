import type { Density } from './cellDensity.ts';
import { decay } from './exponential.ts';
import type { Model } from './model.ts';
import type { Sample } from './sample.ts';

/** An interval of more observations than this (in independent ones) says next to nothing about a single one. */
const MOST_OBSERVATIONS = 6;
const MAX_STEPS = 8;
/** Relative error of an interval's expected sum that is small enough. */
const SUM_TOLERANCE = 1e-3;

/** A density as the tilting reads it: places of the cells about the mean. */
interface Centred {
  readonly density: Density;
  /** Cell by cell: how far its middle lies from the mean. */
  readonly offset: Float64Array;
  readonly mean: number;
  readonly variance: number;
  readonly top: number;
}

/** The observations of one interval in one bucket: the cells in which they may lie, given the interval's sum. */
interface Part {
  bucket: number;
  count: number;
  /** How many cells there are. */
  cells: number;
  /** The cells' indices in the density. */
  readonly cell: Int32Array;
  readonly offset: Float64Array;
  /** The smallest and the largest offset. */
  least: number;
  most: number;
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
  const room = Math.max(...densities.map(density => density.mass.length));
  // An interval that is looked at has no more parts than observations.
  const parts = densities.map(() => newPart(room));
  for (let row = 0; row < sample.rows; row += 1) {
    if (exact[row] === 1) continue;
    const size = sample.size[row]!;
    if (size / (1 + (size - 1) * model.correlation) > MOST_OBSERVATIONS) {
      for (let at = sample.start[row]!; at < sample.start[row + 1]!; at += 1) {
        untilted[sample.active[at]!]! += sample.count[at]!;
      }
      continue;
    }
    const used = tilt(sample, row, centred, parts);
    for (let at = 0; at < used; at += 1) addTo(placed[parts[at]!.bucket]!, parts[at]!);
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
  for (let cell = 0; cell < mass.length; cell += 1) mean += (mass[cell]! * (lower[cell]! + upper[cell]!)) / 2;
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

function newPart(room: number): Part {
  return {
    bucket: 0,
    count: 0,
    cells: 0,
    cell: new Int32Array(room),
    offset: new Float64Array(room),
    least: 0,
    most: 0,
    base: new Float64Array(room),
    mass: new Float64Array(room),
  };
}

function addTo(placed: Float64Array, { count, cells, cell, mass }: Part): void {
  for (let at = 0; at < cells; at += 1) placed[cell[at]!]! += count * mass[at]!;
}

/** Sets as many of the parts as the row has buckets, and gives that number. */
function tilt(sample: Sample, row: number, centred: readonly Centred[], parts: readonly Part[]): number {
  const { start, active, count, lower, sum, tolerance } = sample;
  const first = start[row]!;
  const used = start[row + 1]! - first;
  let variance = 0;
  let target = sum[row]!;
  let least = 0;
  let most = 0;
  for (let at = first; at < first + used; at += 1) {
    const bucket = active[at]!;
    const { mean, top } = centred[bucket]!;
    variance += count[at]! * centred[bucket]!.variance;
    target -= count[at]! * mean;
    least += count[at]! * lower[bucket]!;
    most += count[at]! * top;
  }
  for (let at = 0; at < used; at += 1) {
    const bucket = active[first + at]!;
    const from = sum[row]! - (most - centred[bucket]!.top) - tolerance;
    const to = sum[row]! - (least - lower[bucket]!) + tolerance;
    const part = parts[at]!;
    part.bucket = bucket;
    part.count = count[first + at]!;
    const others = Math.max(variance - centred[bucket]!.variance, 1e-6 * centred[bucket]!.variance);
    setPossible(part, centred[bucket]!, others, from, to);
    if (part.cells === 0) setPossible(part, centred[bucket]!, Infinity, -Infinity, Infinity);
  }
  matchSum(parts, used, target, SUM_TOLERANCE * Math.abs(sum[row]!));
  return used;
}

/** The cells between two values, weighed by how well the interval's other observations can make up the rest. */
function setPossible(part: Part, centred: Centred, others: number, from: number, to: number): void {
  const { density, offset } = centred;
  const { lower, upper, mass } = density;
  const narrowness = 0.5 / others;
  let cells = 0;
  part.least = Number.POSITIVE_INFINITY;
  part.most = Number.NEGATIVE_INFINITY;
  for (let cell = 0; cell < mass.length; cell += 1) {
    if (lower[cell]! > to || upper[cell]! < from) continue;
    const step = offset[cell]!;
    const base = mass[cell]! * decay(-step * step * narrowness);
    if (base === 0) continue;
    part.cell[cells] = cell;
    part.offset[cells] = step;
    part.base[cells] = base;
    part.least = Math.min(part.least, step);
    part.most = Math.max(part.most, step);
    cells += 1;
  }
  part.cells = cells;
}

/** Newton's method on lambda, kept in a bracket: the expected sum grows with it. */
function matchSum(parts: readonly Part[], used: number, target: number, tolerance: number): void {
  let lambda = 0;
  let below = Number.NEGATIVE_INFINITY;
  let above = Number.POSITIVE_INFINITY;
  for (let step = 0; step < MAX_STEPS; step += 1) {
    let missing = target;
    let spread = 0;
    for (let at = 0; at < used; at += 1) {
      const part = parts[at]!;
      const { mean, square } = weigh(part, lambda);
      missing -= part.count * mean;
      spread += part.count * Math.max(square - mean * mean, 1e-30);
    }
    if (Math.abs(missing) <= tolerance) return;
    if (missing > 0) below = Math.max(below, lambda);
    else above = Math.min(above, lambda);
    const next = lambda + missing / spread;
    const outside = Number.isFinite(below) && Number.isFinite(above) && (next <= below || next >= above);
    lambda = outside ? (below + above) / 2 : next;
  }
}

/** Sets the masses to base exp(lambda offset), normalised, and gives their mean and mean square. */
function weigh(
  { cells, offset, base, mass, least, most }: Part,
  lambda: number,
): { mean: number; square: number } {
  const top = Math.max(lambda * least, lambda * most);
  let total = 0;
  let first = 0;
  let second = 0;
  for (let at = 0; at < cells; at += 1) {
    const step = offset[at]!;
    const one = base[at]! * decay(lambda * step - top);
    mass[at] = one;
    total += one;
    first += one * step;
    second += one * step * step;
  }
  for (let at = 0; at < cells; at += 1) mass[at]! /= total;
  return { mean: first / total, square: second / total };
}
