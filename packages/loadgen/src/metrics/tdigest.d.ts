declare module 'tdigest' {
  /** The part of the package that is used here; it has no types of its own. */
  export class TDigest {
    /** `delta`: the share of all values that one centroid may hold, at most. */
    constructor(delta?: number);
    push(value: number): void;
    /** All centroids by their means: `n` values each, `cumn` up to its own end. */
    toArray(everything: true): { readonly mean: number; readonly n: number; readonly cumn: number }[];
    /** `share` from 0 to 1. */
    percentile(share: number): number;
  }
}
