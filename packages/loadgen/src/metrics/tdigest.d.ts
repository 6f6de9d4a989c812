declare module 'tdigest' {
  /** The part of the package's API that is used here; it has no type declarations. */
  export class TDigest {
    /** `delta` is the maximum fraction of all values that one centroid may hold. */
    constructor(delta?: number);
    push(value: number): void;
    /** Returns all centroids by mean: `n` values each, and `cumn` values up to the centroid's end. */
    toArray(everything: true): { readonly mean: number; readonly n: number; readonly cumn: number }[];
    /** Returns the estimate for a quantile from 0 to 1. */
    percentile(quantile: number): number;
  }
}
