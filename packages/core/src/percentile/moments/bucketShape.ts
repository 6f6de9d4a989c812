import { matchMoments } from './maximumEntropy.ts';

/** Relative densities at a bucket's lower edge, in its middle and at its upper edge. */
export type Shape = readonly [lower: number, middle: number, upper: number];

/**
 * Returns a function that interpolates the density at x. In buckets above 0, the interpolation is linear in log x and log
 * density, which keeps the form of power-law tails; in buckets that start at or below 0, it is linear.
 */
export function createInterpolation(
  [atLower, atMiddle, atUpper]: Shape,
  lower: number,
  upper: number,
): (x: number) => number {
  if (lower <= 0)
    return x => {
      const place = (2 * (x - lower)) / (upper - lower);
      return place < 1
        ? atLower + (atMiddle - atLower) * place
        : atMiddle + (atUpper - atMiddle) * (place - 1);
    };
  const length = Math.log(upper / lower);
  const [lowerRatio, upperRatio] = [atMiddle / atLower, atUpper / atMiddle];
  return x => {
    const place = (2 * Math.log(x / lower)) / length;
    return place < 1 ? atLower * lowerRatio ** place : atMiddle * upperRatio ** (place - 1);
  };
}

/** Creates cell masses with a given mean and variance, as close as possible to a shape. */
export function createSmoothMasses(
  edges: Float64Array,
  shape: Shape | null,
  mean: number,
  variance: number,
): Float64Array {
  const at = findMiddles(edges);
  return matchMoments(at, computeShapeMasses(edges, at, shape), mean, variance);
}

/**
 * Creates the cell masses of the nonzero observations in a first bucket that contains zeros, and returns them
 * with the share of zeros. This share is chosen so that the mean of the nonzero observations matches the
 * shape.
 */
export function createZeroInflatedMasses(
  edges: Float64Array,
  shape: Shape | null,
  mean: number,
): { masses: Float64Array; zeros: number } {
  const at = findMiddles(edges);
  const weight = computeShapeMasses(edges, at, shape);
  const width = edges.at(-1)! - edges[0]!;
  const nonZeroMean = dotProduct(weight, at) / sumValues(weight);
  const zeros = Math.min(Math.max(1 - mean / nonZeroMean, 0), 1 - 1e-9);
  return { masses: matchMoments(at, weight, mean / (1 - zeros), width * width), zeros };
}

/**
 * Creates the cell masses of a Lomax distribution, which has a heavy tail. The distribution starts at the
 * first edge, and `mean` is the distance from this edge.
 */
export function createLomaxMasses(edges: Float64Array, mean: number, variance: number): Float64Array {
  const squared = variance / (mean * mean);
  const power = Math.max((2 * squared) / (squared - 1), 2.02);
  const survival = edges.map(edge => (1 + (edge - edges[0]!) / (mean * (power - 1))) ** -power);
  const mass = survival.subarray(1).map((after, cell) => survival[cell]! - after);
  const sum = sumValues(mass);
  return mass.map(cell => cell / sum);
}

/** Computes the relative masses of the cells of a shape, which have the middles `at`; null stands for a uniform shape. */
function computeShapeMasses(edges: Float64Array, at: Float64Array, shape: Shape | null): Float64Array {
  const masses = new Float64Array(at.length);
  const interpolate = shape && createInterpolation(shape, edges[0]!, edges.at(-1)!);
  for (let cell = 0; cell < masses.length; cell += 1) {
    const size = edges[cell + 1]! - edges[cell]!;
    masses[cell] = interpolate === null ? size : size * interpolate(at[cell]!);
  }
  return masses;
}

function findMiddles(edges: Float64Array): Float64Array {
  const middles = new Float64Array(edges.length - 1);
  for (let cell = 0; cell < middles.length; cell += 1) middles[cell] = (edges[cell + 1]! + edges[cell]!) / 2;
  return middles;
}

function sumValues(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function dotProduct(a: Float64Array, b: Float64Array): number {
  return a.reduce((sum, value, at) => sum + value * b[at]!, 0);
}
