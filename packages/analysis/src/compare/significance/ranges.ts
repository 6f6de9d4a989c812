import { max, min } from '../../math.ts';

/** Returns the distance between two ranges of values; negative if they overlap. */
export function computeGap(base: readonly number[], other: readonly number[]): number {
  return Math.max(min(other) - max(base), min(base) - max(other));
}

/** Returns the difference between the largest and the smallest value. */
export function computeRange(values: readonly number[]): number {
  return max(values) - min(values);
}
