import type { BucketEdges } from './bucketEdges.ts';
import type { HistogramWindow } from './estimator.ts';

/**
 * The scrape intervals of a window: observations by bucket, and their exact sum. Rows are sparse: row i has
 * the entries from `start[i]` up to but excluding `start[i + 1]`. Every row has observations.
 */
export interface Intervals {
  readonly rows: number;
  readonly start: Int32Array;
  /** Bucket by entry, ascending within a row. */
  readonly bucket: Int32Array;
  /** Number of observations in the bucket by entry, above 0. */
  readonly count: Float64Array;
  /** Number of observations by row. */
  readonly size: Float64Array;
  /** Sum of the observations by row. */
  readonly sum: Float64Array;
}

/** Builds `Intervals` row by row. */
export class IntervalsBuilder {
  readonly #start: Int32Array;
  readonly #size: Float64Array;
  readonly #sum: Float64Array;
  #rows = 0;
  #bucket: Int32Array;
  #count: Float64Array;
  #entries = 0;
  /** Number of observations in the current row. */
  #pending = 0;

  /** @param maxRows the maximum number of rows */
  constructor(maxRows: number) {
    // `start` has one more entry than there are rows.
    this.#start = new Int32Array(maxRows + 1);
    this.#size = new Float64Array(maxRows);
    this.#sum = new Float64Array(maxRows);
    this.#bucket = new Int32Array(2 * maxRows + 1);
    this.#count = new Float64Array(2 * maxRows + 1);
  }

  /** Adds the observations of one bucket to the current row. */
  add(bucket: number, count: number): void {
    if (this.#entries === this.#bucket.length) this.#growEntries();
    this.#bucket[this.#entries] = bucket;
    this.#count[this.#entries++] = count;
    this.#pending += count;
  }

  /** Ends the current row. Returns false, without adding the row, if it has no observations. */
  close(sum: number): boolean {
    if (this.#pending === 0) return false;
    this.#size[this.#rows] = this.#pending;
    this.#sum[this.#rows++] = sum;
    this.#start[this.#rows] = this.#entries;
    this.#pending = 0;
    return true;
  }

  /** Adds an increase of the sum to the last row, for an increase after which no observations follow. */
  addToLast(sum: number): void {
    if (this.#rows > 0) this.#sum[this.#rows - 1]! += sum;
  }

  /** Returns the rows. The builder must not be used afterwards. */
  build(): Intervals {
    const rows = this.#rows;
    return {
      rows,
      start: this.#start.subarray(0, rows + 1),
      bucket: this.#bucket.subarray(0, this.#entries),
      count: this.#count.subarray(0, this.#entries),
      size: this.#size.subarray(0, rows),
      sum: this.#sum.subarray(0, rows),
    };
  }

  #growEntries(): void {
    this.#bucket = copyInto(this.#bucket, new Int32Array(this.#bucket.length * 2));
    this.#count = copyInto(this.#count, new Float64Array(this.#count.length * 2));
  }
}

function copyInto<T extends Int32Array | Float64Array>(source: T, target: T): T {
  target.set(source);
  return target;
}

/**
 * Splits a window into its scrape intervals and omits those without observations.
 *
 * A server may read the sum, the count and the buckets of a scrape at slightly different times. A negative
 * bucket increment is carried over to the next interval, and so is an increase of the sum that precedes its
 * observations.
 */
export function extractIntervals(window: HistogramWindow, edges: BucketEdges): Intervals {
  const { cumulative, resets } = edges;
  const intervals = new IntervalsBuilder(Math.max(0, window.counts.length - 1));
  const deficits = new Float64Array(cumulative.length);
  let carriedSum = 0;
  for (let row = 1; row < window.counts.length; row += 1) {
    // In a row with a reset, the increase is the whole value.
    const isReset = resets.size > 0 && resets.has(row);
    if (isReset) deficits.fill(0);
    const sum = window.sums[row]! - (isReset ? 0 : window.sums[row - 1]!) + carriedSum;
    let below = 0;
    for (let bucket = 0; bucket < cumulative.length; bucket += 1) {
      const column = cumulative[bucket]!;
      const upTo = column[row]! - (isReset ? 0 : column[row - 1]!);
      const deficit = deficits[bucket]!;
      const inside = upTo - below + deficit;
      if (inside > 0) intervals.add(bucket, inside);
      if (inside < 0 || deficit < 0) deficits[bucket] = Math.min(inside, 0);
      below = upTo;
    }
    carriedSum = intervals.close(sum) ? 0 : sum;
  }
  intervals.addToLast(carriedSum);
  return intervals.build();
}
