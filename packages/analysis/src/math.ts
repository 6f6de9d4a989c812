// The functions loop over their values, because spreading a large array, as in Math.max(...values), exceeds the
// maximum number of arguments.

/** Returns the sum; 0 for no values. */
export function sum(values: readonly number[]): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

/** Returns the arithmetic mean; NaN for no values. */
export function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}

/** Returns the smallest value; infinity for no values. */
export function min(values: readonly number[]): number {
  let smallest = Number.POSITIVE_INFINITY;
  for (const value of values) smallest = Math.min(smallest, value);
  return smallest;
}

/** Returns the largest value; negative infinity for no values. */
export function max(values: readonly number[]): number {
  let largest = Number.NEGATIVE_INFINITY;
  for (const value of values) largest = Math.max(largest, value);
  return largest;
}

/** Returns the median, which is the mean of the two middle values of an even number; NaN for no values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return mean(sorted.slice(Math.ceil(middle) - 1, Math.floor(middle) + 1));
}
