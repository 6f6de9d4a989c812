/** Doubles that went through sums and divisions in different orders differ by this much, relatively. */
export const noise = 1e-9;

/**
 * How far a printed number may be from what it stands for: half a unit of its last digit, but at most 1 % of it.
 * An export may be rounded by hand (as the examples of the seeds are) and is then still right.
 */
export function rounding(value: number): number {
  const decimals = /\.(\d+)$/.exec(String(value))?.[1]?.length ?? 0;
  return Math.min(0.5 * 10 ** -decimals, 0.01 * Math.abs(value));
}

/** Whether `found` is `expected` up to noise, its own rounding, and `slack`. */
export function near(found: number, expected: number, slack = 0): boolean {
  const scale = Math.max(Math.abs(found), Math.abs(expected));
  return Math.abs(found - expected) <= noise * scale + rounding(found) + slack;
}

/** Whether `a` is at most `b`, up to noise. */
export function atMost(a: number, b: number): boolean {
  return a - b <= noise * Math.max(Math.abs(a), Math.abs(b));
}

/** The first two neighbours that do not ascend. */
export function firstDescent(
  values: readonly (readonly [name: string, value: number])[],
): { readonly before: readonly [string, number]; readonly after: readonly [string, number] } | undefined {
  for (let i = 1; i < values.length; i++)
    if (!atMost(values[i - 1]![1], values[i]![1])) return { before: values[i - 1]!, after: values[i]! };
  return undefined;
}
