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
