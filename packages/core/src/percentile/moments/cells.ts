/**
 * Where the observations of a bucket lie: cells with an even spread between their edges, in ascending order, and
 * after them points (cells without width).
 */
export interface Density {
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  /** Sums to 1. */
  readonly mass: Float64Array;
  /** How many of the cells have a width; the others are points. */
  readonly cells: number;
}
