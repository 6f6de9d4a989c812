import type { Known } from './exactValues.ts';

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
/** The smooth density counts as much as so many known values. */
const SMOOTH_WEIGHT = 4;

/**
 * Blends the smooth density with where the known values lie.
 *
 * @param zeros the share of the bucket that is 0
 * @param tolerance values nearer to each other than this are equal
 */
export function withKnown(
  edges: Float64Array,
  smooth: Float64Array,
  zeros: number,
  known: Known,
  tolerance: number,
): Density {
  const cells = smooth.length;
  const points = zeros > 0 ? [0] : [];
  const pointMass = zeros > 0 ? [zeros * SMOOTH_WEIGHT] : [];
  const mass = smooth.map(one => one * (1 - zeros) * SMOOTH_WEIGHT);
  for (let at = 0; at < known.value.length; at += 1) {
    const value = known.value[at]!;
    const times = known.times[at]!;
    if (zeros > 0 && Math.abs(value) <= tolerance) {
      pointMass[0]! += times;
    } else if (times >= POINT_SIGHTINGS) {
      points.push(value);
      pointMass.push(times);
    } else {
      mass[cellOf(edges, value)]! += times;
    }
  }
  const all = SMOOTH_WEIGHT + known.times.reduce((seen, times) => seen + times, 0);
  return {
    lower: joined(edges.subarray(0, cells), points),
    upper: joined(edges.subarray(1), points),
    mass: joined(mass, pointMass).map(one => one / all),
    cells,
  };
}

function joined(first: Float64Array, second: readonly number[]): Float64Array {
  const both = new Float64Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

/** The cell that holds a value, by halving. */
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
