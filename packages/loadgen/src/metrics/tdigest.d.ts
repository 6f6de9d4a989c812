declare module 'tdigest' {
  /** The part of the package that is used here; it has no types of its own. */
  export class TDigest {
    /** `delta`: the share of all values that one centroid may hold, at most. */
    constructor(delta?: number);
    push(value: number): void;
    /** Merges what can be merged. */
    compress(): void;
    /** `share` from 0 to 1. */
    percentile(share: number): number;
  }
}
