import type { Density } from './cellDensity.ts';
import type { Model } from './model.ts';
import type { Sample } from './sample.ts';

/**
 * Maximum number of independent observations in an interval whose densities are tilted. With more
 * observations, the sum of the interval contains little information about each of them.
 */
const MAX_OBSERVATIONS = 6;
/** Maximum number of Newton steps per interval. */
const MAX_STEPS = 8;
/** Accepted relative error of the expected sum. */
const SUM_TOLERANCE = 1e-3;
/** Number of table entries per unit of the exponent. */
const TABLE_STEPS = 16;
/** Minimum exponent. For smaller exponents, the result is 0. */
const MIN_EXPONENT = -40;
/** Table of e^x, from x = 0 down to `MIN_EXPONENT`. */
const EXPONENTIALS = Float64Array.from({ length: -MIN_EXPONENT * TABLE_STEPS + 1 }, (_, at) =>
  Math.exp(-at / TABLE_STEPS),
);

/** A density with cell positions relative to its mean. */
interface CenteredDensity {
  readonly density: Density;
  /** Distance of the middle of each cell from the mean. */
  readonly offset: Float64Array;
  readonly mean: number;
  readonly variance: number;
  /** Upper edge of the last cell. */
  readonly top: number;
}

/** The observations of one interval in one bucket, and their possible cells given the interval's sum. */
interface Part {
  bucket: number;
  count: number;
  /** Number of possible cells. */
  cells: number;
  /** Indices of the possible cells in the density. `offset`, `base` and `mass` have the same order. */
  readonly cell: Int32Array;
  readonly offset: Float64Array;
  /** The smallest offset of the possible cells. */
  minOffset: number;
  /** The largest offset of the possible cells. */
  maxOffset: number;
  /** Weights of the possible cells before the exponential tilt. */
  readonly base: Float64Array;
  /** Masses of the possible cells; they add up to 1. */
  readonly mass: Float64Array;
}

/**
 * Distributes observations over cells, by active bucket. For each interval with few observations, the
 * densities are tilted to p(x) exp(lambda x - x^2 / 2V) so that the expected sum equals the sum of the
 * interval; V is the variance of the other observations in the interval. Other intervals follow the untilted
 * densities.
 *
 * @param exact by row: 1 if the observations are known exactly; these rows are skipped
 */
export function placeObservations(
  sample: Sample,
  model: Model,
  densities: readonly Density[],
  exact: Uint8Array,
): Float64Array[] {
  const centered = densities.map(centerDensity);
  const placed = densities.map(density => new Float64Array(density.mass.length));
  const untilted = new Float64Array(densities.length);
  const maxCells = Math.max(...densities.map(density => density.mass.length));
  // One part per bucket, reused for all intervals.
  const parts = densities.map(() => createPart(maxCells));
  for (let row = 0; row < sample.rows; row += 1) {
    if (exact[row] === 1) continue;
    const size = sample.size[row]!;
    if (size / (1 + (size - 1) * model.correlation) > MAX_OBSERVATIONS) {
      for (let at = sample.start[row]!; at < sample.start[row + 1]!; at += 1) {
        untilted[sample.active[at]!]! += sample.count[at]!;
      }
      continue;
    }
    const partCount = tiltInterval(sample, row, centered, parts);
    for (let at = 0; at < partCount; at += 1) addPart(placed[parts[at]!.bucket]!, parts[at]!);
  }
  for (const [bucket, { mass }] of densities.entries()) {
    for (let cell = 0; cell < mass.length; cell += 1)
      placed[bucket]![cell]! += untilted[bucket]! * mass[cell]!;
  }
  return placed;
}

/** Computes the moments of a density, and the positions of its cells relative to the mean. */
function centerDensity(density: Density): CenteredDensity {
  const { lower, upper, mass } = density;
  let mean = 0;
  for (let cell = 0; cell < mass.length; cell += 1) mean += (mass[cell]! * (lower[cell]! + upper[cell]!)) / 2;
  const offset = lower.map((edge, cell) => (edge + upper[cell]!) / 2 - mean);
  const variance = offset.reduce((sum, step, cell) => sum + mass[cell]! * step * step, 0);
  return {
    density,
    offset,
    mean,
    variance: Math.max(variance, 1e-30),
    top: upper[Math.max(density.cells, 1) - 1]!,
  };
}

function createPart(maxCells: number): Part {
  return {
    bucket: 0,
    count: 0,
    cells: 0,
    cell: new Int32Array(maxCells),
    offset: new Float64Array(maxCells),
    minOffset: 0,
    maxOffset: 0,
    base: new Float64Array(maxCells),
    mass: new Float64Array(maxCells),
  };
}

/** Adds the observations of a part to the cells of its bucket. */
function addPart(placed: Float64Array, { count, cells, cell, mass }: Part): void {
  for (let at = 0; at < cells; at += 1) placed[cell[at]!]! += count * mass[at]!;
}

/** Tilts the densities for one row. Fills one part per bucket of the row and returns their number. */
function tiltInterval(
  sample: Sample,
  row: number,
  centered: readonly CenteredDensity[],
  parts: readonly Part[],
): number {
  const { start, active, count, lower, sum, tolerance } = sample;
  const first = start[row]!;
  const partCount = start[row + 1]! - first;
  let variance = 0;
  let target = sum[row]!;
  let minSum = 0;
  let maxSum = 0;
  for (let at = first; at < first + partCount; at += 1) {
    const bucket = active[at]!;
    const { mean, top } = centered[bucket]!;
    variance += count[at]! * centered[bucket]!.variance;
    target -= count[at]! * mean;
    minSum += count[at]! * lower[bucket]!;
    maxSum += count[at]! * top;
  }
  for (let at = 0; at < partCount; at += 1) {
    const bucket = active[first + at]!;
    const from = sum[row]! - (maxSum - centered[bucket]!.top) - tolerance;
    const to = sum[row]! - (minSum - lower[bucket]!) + tolerance;
    const part = parts[at]!;
    part.bucket = bucket;
    part.count = count[first + at]!;
    const othersVariance = Math.max(variance - centered[bucket]!.variance, 1e-6 * centered[bucket]!.variance);
    setPossibleCells(part, centered[bucket]!, othersVariance, from, to);
    if (part.cells === 0) setPossibleCells(part, centered[bucket]!, Infinity, -Infinity, Infinity);
  }
  matchSum(parts, partCount, target, SUM_TOLERANCE * Math.abs(sum[row]!));
  return partCount;
}

/**
 * Sets the possible cells of a part: the cells between two values, weighted by how likely the other
 * observations of the interval add up to the remaining sum. `othersVariance` is the variance of these
 * observations.
 */
function setPossibleCells(
  part: Part,
  centered: CenteredDensity,
  othersVariance: number,
  from: number,
  to: number,
): void {
  const { density, offset } = centered;
  const { lower, upper, mass } = density;
  const precision = 0.5 / othersVariance;
  let cells = 0;
  part.minOffset = Number.POSITIVE_INFINITY;
  part.maxOffset = Number.NEGATIVE_INFINITY;
  for (let cell = 0; cell < mass.length; cell += 1) {
    if (lower[cell]! > to || upper[cell]! < from) continue;
    const step = offset[cell]!;
    const base = mass[cell]! * approximateExp(-step * step * precision);
    if (base === 0) continue;
    part.cell[cells] = cell;
    part.offset[cells] = step;
    part.base[cells] = base;
    part.minOffset = Math.min(part.minOffset, step);
    part.maxOffset = Math.max(part.maxOffset, step);
    cells += 1;
  }
  part.cells = cells;
}

/**
 * Finds the lambda for which the expected sum equals `target`, by Newton's method with bisection as a
 * fallback. The expected sum increases with lambda.
 */
function matchSum(parts: readonly Part[], partCount: number, target: number, tolerance: number): void {
  let lambda = 0;
  let below = Number.NEGATIVE_INFINITY;
  let above = Number.POSITIVE_INFINITY;
  for (let step = 0; step < MAX_STEPS; step += 1) {
    let missing = target;
    let spread = 0;
    for (let at = 0; at < partCount; at += 1) {
      const part = parts[at]!;
      const { mean, square } = setMasses(part, lambda);
      missing -= part.count * mean;
      spread += part.count * Math.max(square - mean * mean, 1e-30);
    }
    if (Math.abs(missing) <= tolerance) return;
    if (missing > 0) below = Math.max(below, lambda);
    else above = Math.min(above, lambda);
    const next = lambda + missing / spread;
    const isOutside = Number.isFinite(below) && Number.isFinite(above) && (next <= below || next >= above);
    lambda = isOutside ? (below + above) / 2 : next;
  }
}

/** Sets the masses to base * exp(lambda * offset), normalized, and returns their mean and mean square. */
function setMasses(
  { cells, offset, base, mass, minOffset, maxOffset }: Part,
  lambda: number,
): { mean: number; square: number } {
  const top = Math.max(lambda * minOffset, lambda * maxOffset);
  let total = 0;
  let first = 0;
  let second = 0;
  for (let at = 0; at < cells; at += 1) {
    const step = offset[at]!;
    const weight = base[at]! * approximateExp(lambda * step - top);
    mass[at] = weight;
    total += weight;
    first += weight * step;
    second += weight * step * step;
  }
  for (let at = 0; at < cells; at += 1) mass[at]! /= total;
  return { mean: first / total, square: second / total };
}

/**
 * Approximates e^x for x <= 0 with a relative error of 1e-7: the nearest table entry times the first terms of
 * the Taylor series. Returns 0 if x is not above `MIN_EXPONENT`. With Math.exp, estimates for an hour of
 * scrapes would take 7% longer.
 */
export function approximateExp(x: number): number {
  if (!(x > MIN_EXPONENT)) return 0;
  const nearest = (0.5 - x * TABLE_STEPS) | 0;
  const remainder = x + nearest / TABLE_STEPS;
  return EXPONENTIALS[nearest]! * (1 + remainder * (1 + remainder * (0.5 + remainder / 6)));
}
