/** Returns the distance between two ranges of values; negative if they overlap. */
export function computeGap(base: readonly number[], other: readonly number[]): number {
  return Math.max(Math.min(...other) - Math.max(...base), Math.min(...base) - Math.max(...other));
}

/** Returns the difference between the largest and the smallest value. */
export function computeRange(values: readonly number[]): number {
  return Math.max(...values) - Math.min(...values);
}
