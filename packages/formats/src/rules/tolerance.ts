/** Relative difference that sums and divisions in a different order can cause in a double. */
export const NOISE = 1e-9;

/**
 * Returns the maximum rounding error of a printed number: half a unit of its last digit, at most 1% of its value.
 * Rounded exports are valid.
 */
export function getRoundingError(value: number): number {
  const decimals = /\.(\d+)$/.exec(String(value))?.[1]?.length ?? 0;
  return Math.min(0.5 * 10 ** -decimals, 0.01 * Math.abs(value));
}

/** Reports whether `found` equals `expected` within floating-point noise, the rounding of `found`, and `slack`. */
export function isNear(found: number, expected: number, slack = 0): boolean {
  const scale = Math.max(Math.abs(found), Math.abs(expected));
  return Math.abs(found - expected) <= NOISE * scale + getRoundingError(found) + slack;
}

/** Reports whether `a` is at most `b`, within floating-point noise. */
export function isAtMost(a: number, b: number): boolean {
  return a - b <= NOISE * Math.max(Math.abs(a), Math.abs(b));
}

/** Finds the first two adjacent values that decrease. */
export function findDescent(
  values: readonly (readonly [name: string, value: number])[],
): { readonly before: readonly [string, number]; readonly after: readonly [string, number] } | undefined {
  for (let i = 1; i < values.length; i++)
    if (!isAtMost(values[i - 1]![1], values[i]![1])) return { before: values[i - 1]!, after: values[i]! };
  return undefined;
}
