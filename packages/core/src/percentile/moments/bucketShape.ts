import { maximumEntropy } from './maximumEntropy.ts';

/** Densities at a bucket's lower edge, in its middle and at its upper edge, in any unit. */
export type Shape = readonly [lower: number, middle: number, upper: number];

/**
 * The density at x. In a bucket above 0 its logarithm runs straight over the logarithm of x, so that the tails of
 * latencies (lognormal, Pareto) keep their form; in one that begins at 0 or below, the density runs straight over x.
 */
export function densityAt(
  [atLower, atMiddle, atUpper]: Shape,
  lower: number,
  upper: number,
  x: number,
): number {
  if (lower <= 0) {
    const place = (2 * (x - lower)) / (upper - lower);
    return place < 1 ? atLower + (atMiddle - atLower) * place : atMiddle + (atUpper - atMiddle) * (place - 1);
  }
  const place = (2 * Math.log(x / lower)) / Math.log(upper / lower);
  return place < 1 ? atLower * (atMiddle / atLower) ** place : atMiddle * (atUpper / atMiddle) ** (place - 1);
}

/** The masses of cells that follow a shape as closely as a mean and a variance allow. */
export function smoothMasses(
  edges: Float64Array,
  shape: Shape | null,
  mean: number,
  variance: number,
): Float64Array {
  return maximumEntropy(middles(edges), shapedMasses(edges, shape), mean, variance);
}

/** The same for a first bucket of which some share is 0: as much as leaves the shape to the others. */
export function smoothWithZeros(
  edges: Float64Array,
  shape: Shape | null,
  mean: number,
): { masses: Float64Array; zeros: number } {
  const at = middles(edges);
  const weight = shapedMasses(edges, shape);
  const width = edges.at(-1)! - edges[0]!;
  const others = dot(weight, at) / total(weight);
  const zeros = Math.min(Math.max(1 - mean / others, 0), 1 - 1e-9);
  return { masses: maximumEntropy(at, weight, mean / (1 - zeros), width * width), zeros };
}

/** A tail heavier than an exponential one: Lomax' distribution with this mean and variance above the first edge. */
export function lomax(edges: Float64Array, mean: number, variance: number): Float64Array {
  const squared = variance / (mean * mean);
  const power = Math.max((2 * squared) / (squared - 1), 2.02);
  const survival = edges.map(edge => (1 + (edge - edges[0]!) / (mean * (power - 1))) ** -power);
  const mass = survival.subarray(1).map((after, cell) => survival[cell]! - after);
  const all = total(mass);
  return mass.map(one => one / all);
}

function shapedMasses(edges: Float64Array, shape: Shape | null): Float64Array {
  const lower = edges[0]!;
  const upper = edges.at(-1)!;
  return middles(edges).map((x, cell) => {
    const size = edges[cell + 1]! - edges[cell]!;
    return shape === null ? size : size * densityAt(shape, lower, upper, x);
  });
}

function middles(edges: Float64Array): Float64Array {
  return edges.subarray(1).map((edge, cell) => (edge + edges[cell]!) / 2);
}

function total(values: Float64Array): number {
  return values.reduce((all, value) => all + value, 0);
}

function dot(a: Float64Array, b: Float64Array): number {
  return a.reduce((all, value, at) => all + value * b[at]!, 0);
}
