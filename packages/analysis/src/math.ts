/** Units of which the sum of several series means nothing. */
const SHARES: ReadonlySet<string> = new Set(['ratio', 'percent', 'celsius']);

export function isRatioUnit(unit: string | null): boolean {
  return unit !== null && SHARES.has(unit);
}

// Not by spreading into Math.max and the like: a call has room for some ten thousand arguments.

export function sum(values: readonly number[]): number {
  let all = 0;
  for (const value of values) all += value;
  return all;
}

/** NaN of no values. */
export function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}

/** Negative infinity of no values. */
export function max(values: readonly number[]): number {
  let most = Number.NEGATIVE_INFINITY;
  for (const value of values) most = Math.max(most, value);
  return most;
}
