/** Table entries per unit, and the exponent below which nothing is left. */
const STEPS = 16;
const DEEPEST = -40;
const TABLE = Float64Array.from({ length: -DEEPEST * STEPS + 1 }, (_, at) => Math.exp(-at / STEPS));

/**
 * e^x for x <= 0, to a relative error of 1e-7, in a third of the time of Math.exp: the nearest table entry times the
 * first terms of the series. Enough for masses that are normalised afterwards, of which tilting needs very many.
 */
export function decay(x: number): number {
  if (!(x > DEEPEST)) return 0;
  const nearest = (0.5 - x * STEPS) | 0;
  const rest = x + nearest / STEPS;
  return TABLE[nearest]! * (1 + rest * (1 + rest * (0.5 + rest / 6)));
}
