import type { KnownValues } from './exactValues.ts';

/**
 * The distribution of a bucket's observations: cells in ascending order, each with a uniform density,
 * followed by points (cells without width).
 */
export interface Density {
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  /** Masses by cell and point; they add up to 1. */
  readonly mass: Float64Array;
  /** Number of cells with a width; the others are points. */
  readonly cells: number;
}

/** Minimum number of occurrences of a known value that becomes a point. */
const MIN_POINT_COUNT = 3;
/** Weight of the smooth density. A known value has the weight 1. */
const SMOOTH_WEIGHT = 4;

/**
 * Blends the smooth density with the known values.
 *
 * @param edges edges of the cells
 * @param smooth masses of the cells, without the known values
 * @param zeros the share of the bucket's observations that are 0
 * @param tolerance maximum difference of values that are considered equal
 */
export function blendKnownValues(
  edges: Float64Array,
  smooth: Float64Array,
  zeros: number,
  known: KnownValues,
  tolerance: number,
): Density {
  const cells = smooth.length;
  const points = zeros > 0 ? [0] : [];
  const pointMass = zeros > 0 ? [zeros * SMOOTH_WEIGHT] : [];
  const mass = smooth.slice();
  for (let cell = 0; cell < cells; cell += 1) mass[cell] = mass[cell]! * (1 - zeros) * SMOOTH_WEIGHT;
  for (let at = 0; at < known.value.length; at += 1) {
    const value = known.value[at]!;
    const times = known.times[at]!;
    if (zeros > 0 && Math.abs(value) <= tolerance) {
      pointMass[0]! += times;
    } else if (times >= MIN_POINT_COUNT) {
      points.push(value);
      pointMass.push(times);
    } else {
      mass[findCell(edges, value)]! += times;
    }
  }
  const total = SMOOTH_WEIGHT + known.times.reduce((sum, times) => sum + times, 0);
  const masses = concatenate(mass, pointMass);
  for (let at = 0; at < masses.length; at += 1) masses[at]! /= total;
  return {
    lower: concatenate(edges.subarray(0, cells), points),
    upper: concatenate(edges.subarray(1), points),
    mass: masses,
    cells,
  };
}

function concatenate(first: Float64Array, second: readonly number[]): Float64Array {
  const both = new Float64Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

/** Finds the cell of a value by binary search. */
function findCell(edges: Float64Array, value: number): number {
  let low = 0;
  let high = edges.length - 2;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (edges[middle + 1]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
