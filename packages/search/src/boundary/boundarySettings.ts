import type { Budget, Dimension } from '../search.ts';

/** Settings of a search for a boundary. */
export interface BoundarySettings extends Budget {
  readonly dimension: Dimension;
  /** The search ends if the distance of the values on both sides of the boundary is this fraction of the upper one. */
  readonly precision: number;
  /** Number of probes of each of the two values on both sides of the boundary, and of values that confirm them. */
  readonly replicates: number;
  /** Confidence level of the interval of the boundary, between 0 and 1. */
  readonly level: number;
}
