declare module 'tdigest' {
  /** The part of the package's API in use. The package has no type declarations. */
  export class TDigest {
    /** `delta` is the maximum fraction of all values that one centroid may hold. */
    constructor(delta?: number);
    push(value: number): void;
    /**
     * Returns all centroids in order of their means. `n` is the number of values in a centroid, `cumn` the
     * cumulative number.
     */
    toArray(everything: true): { readonly mean: number; readonly n: number; readonly cumn: number }[];
    /** Returns the estimate for a quantile from 0 to 1. */
    percentile(quantile: number): number;
  }
}
