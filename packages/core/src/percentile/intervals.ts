import type { BucketEdges } from './bucketEdges.ts';
import type { HistogramWindow } from './estimator.ts';

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
  readonly #start: Int32Array;
  readonly #size: Float64Array;
  readonly #sum: Float64Array;
  #rows = 0;
  #bucket: Int32Array;
  #count: Float64Array;
  #entries = 0;
  #pending = 0;

  /** @param mostRows how many there can be */
  constructor(mostRows: number) {
    // `start` is one longer than the others.
    this.#start = new Int32Array(mostRows + 1);
    this.#size = new Float64Array(mostRows);
    this.#sum = new Float64Array(mostRows);
    this.#bucket = new Int32Array(2 * mostRows + 1);
    this.#count = new Float64Array(2 * mostRows + 1);
  }

  add(bucket: number, count: number): void {
    if (this.#entries === this.#bucket.length) this.#growEntries();
    this.#bucket[this.#entries] = bucket;
    this.#count[this.#entries++] = count;
    this.#pending += count;
  }

  /** Ends the row; false when it held no observations and so is none. */
  close(sum: number): boolean {
    if (this.#pending === 0) return false;
    this.#size[this.#rows] = this.#pending;
    this.#sum[this.#rows++] = sum;
    this.#start[this.#rows] = this.#entries;
    this.#pending = 0;
    return true;
  }

  /** Adds what came without observations after the last row. */
  addToLast(sum: number): void {
    if (this.#rows > 0) this.#sum[this.#rows - 1]! += sum;
  }

  /** What was collected; the builder is not to be used afterwards. */
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
    this.#bucket = doubled(this.#bucket, new Int32Array(this.#bucket.length * 2));
    this.#count = doubled(this.#count, new Float64Array(this.#count.length * 2));
  }
}

function doubled<T extends Int32Array | Float64Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

/**
 * Cuts a window into its scrape intervals. Those without observations are left out.
 *
 * A scrape may show its parts at slightly different instants: a bucket that seems to have lost an observation to its
 * neighbour owes it to the next interval, and a sum that came before its observations waits for them.
 */
export function extractIntervals(window: HistogramWindow, edges: BucketEdges): Intervals {
  const { cumulative, resets } = edges;
  const intervals = new IntervalsBuilder(Math.max(0, window.counts.length - 1));
  const owed = new Float64Array(cumulative.length);
  let early = 0;
  for (let row = 1; row < window.counts.length; row += 1) {
    // After a reset all that a row says is new.
    const isReset = resets.size > 0 && resets.has(row);
    if (isReset) owed.fill(0);
    const sum = window.sums[row]! - (isReset ? 0 : window.sums[row - 1]!) + early;
    let below = 0;
    for (let bucket = 0; bucket < cumulative.length; bucket += 1) {
      const column = cumulative[bucket]!;
      const upTo = column[row]! - (isReset ? 0 : column[row - 1]!);
      const debt = owed[bucket]!;
      const inside = upTo - below + debt;
      if (inside > 0) intervals.add(bucket, inside);
      if (inside < 0 || debt < 0) owed[bucket] = Math.min(inside, 0);
      below = upTo;
    }
    early = intervals.close(sum) ? 0 : sum;
  }
  intervals.addToLast(early);
  return intervals.build();
}
