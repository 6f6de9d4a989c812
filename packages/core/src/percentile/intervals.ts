/**
 * What the scrape intervals of a window say: how many observations fell into which bucket, and their exact sum.
 * Rows are sparse: row i has the entries from `start[i]` up to `start[i + 1]`. Every row holds observations.
 */
export interface Intervals {
  readonly rows: number;
  readonly start: Int32Array;
  /** By entry: the bucket, ascending within a row. */
  readonly bucket: Int32Array;
  /** By entry: the observations that fell into the bucket, more than 0. */
  readonly count: Float64Array;
  /** By row: all observations. */
  readonly size: Float64Array;
  /** By row, in the unit of the observations. */
  readonly sum: Float64Array;
}

/** Collects sparse rows. */
export class IntervalsBuilder {
  private readonly start: number[] = [0];
  private readonly bucket: number[] = [];
  private readonly count: number[] = [];
  private readonly size: number[] = [];
  private readonly sum: number[] = [];
  private pending = 0;

  add(bucket: number, count: number): void {
    this.bucket.push(bucket);
    this.count.push(count);
    this.pending += count;
  }

  /** Ends the row; false when it held no observations and so is none. */
  close(sum: number): boolean {
    if (this.pending === 0) return false;
    this.start.push(this.bucket.length);
    this.size.push(this.pending);
    this.sum.push(sum);
    this.pending = 0;
    return true;
  }

  /** Adds what came without observations after the last row. */
  addToLast(sum: number): void {
    if (this.sum.length > 0) this.sum[this.sum.length - 1]! += sum;
  }

  build(): Intervals {
    return {
      rows: this.size.length,
      start: new Int32Array(this.start),
      bucket: new Int32Array(this.bucket),
      count: new Float64Array(this.count),
      size: new Float64Array(this.size),
      sum: new Float64Array(this.sum),
    };
  }
}
