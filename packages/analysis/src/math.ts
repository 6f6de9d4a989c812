// Math.max(...values) would throw for more values than a call can have arguments.

export function sum(values: readonly number[]): number {
  let all = 0;
  for (const value of values) all += value;
  return all;
}

/** Returns NaN for no values. */
export function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}

/** Returns negative infinity for no values. */
export function max(values: readonly number[]): number {
  let most = Number.NEGATIVE_INFINITY;
  for (const value of values) most = Math.max(most, value);
  return most;
}
