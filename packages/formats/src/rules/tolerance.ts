/** Relative floating-point error that is tolerated, because writers can add and divide in a different order. */
export const NOISE = 1e-9;

/**
 * Returns the maximum rounding error of a number in a file: half a unit of its last digit, but at most 1% of
 * its value. It is tolerated, because an export may contain rounded numbers.
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

/** Finds the first pair of adjacent values where the second is less than the first. */
export function findDescent(
  values: readonly (readonly [name: string, value: number])[],
): { readonly before: readonly [string, number]; readonly after: readonly [string, number] } | undefined {
  for (let i = 1; i < values.length; i++)
    if (!isAtMost(values[i - 1]![1], values[i]![1])) return { before: values[i - 1]!, after: values[i]! };
  return undefined;
}
