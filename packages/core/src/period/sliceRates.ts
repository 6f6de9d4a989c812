import { lowerBound, upperBound } from '../store/timeline.ts';
import { findRowsAtEdges, type Slice, type Slices } from './timeslices.ts';

/**
 * Additional fields of a slice of a counter or a histogram. Differences between the last samples at or before the edges
 * depend on the number of scrapes in a slice: with 1 s slices and scrapes every 333 ms, a constant rate alternates
 * between 67% and 133% of its value. These fields do not.
 */
export interface SliceFacts extends Slice {
  /** Number of resets between samples in or around the slice; absent without a reset. */
  readonly resets?: number;
  /**
   * True if the slice is before the first or after the last sample, or in a gap between samples that is longer than
   * two slices; otherwise absent.
   */
  readonly is_gap?: true;
}

/** A gap between samples that is longer than this number of slices is left out of the rates. */
const MAX_GAP_SLICES = 2;

/** A time between two samples, with the row of the last sample at or before it. */
interface Position {
  readonly timeNs: number;
  readonly row: number;
}

/** The positions of slices between the samples of a series, for interpolation at the edges of the slices. */
export class SlicePositions {
  /** By edge: the row of the last sample at or before the edge. */
  readonly rows: Int32Array;
  readonly #timesNs: Float64Array;
  readonly #edgesNs: Float64Array;
  /** Minimum length of a gap; infinite if slices are the intervals between samples. */
  readonly #gapNs: number;

  constructor(slices: Slices, timesNs: Float64Array) {
    this.rows = findRowsAtEdges(slices, timesNs);
    this.#timesNs = timesNs;
    this.#edgesNs = slices.edgesNs.slice();
    this.#edgesNs[this.#edgesNs.length - 1] = slices.lastSampleNs;
    const [firstNs = 0, secondNs = 0] = slices.edgesNs;
    this.#gapNs = slices.isPerInterval ? Number.POSITIVE_INFINITY : MAX_GAP_SLICES * (secondNs - firstNs);
  }

  /**
   * Computes the increase per second of a column without resets in a slice. The column is interpolated at the edges of
   * the slice. Parts of the slice before the first sample, after the last sample, and in long gaps between samples do
   * not count. Returns undefined if this leaves nothing.
   */
  computeRate(column: Float64Array, slice: number): number | undefined {
    const start = this.#findStart(slice);
    const end = this.#findEnd(slice);
    if (end.timeNs <= start.timeNs) return undefined;
    const increase = this.#interpolate(column, end) - this.#interpolate(column, start);
    return increase / ((end.timeNs - start.timeNs) / 1e9);
  }

  /** Counts, for each slice, the resets whose interval between two samples overlaps the slice. */
  countResets(resets: readonly number[]): Int32Array {
    const counts = new Int32Array(Math.max(0, this.#edgesNs.length - 1));
    for (const row of resets) {
      const first = Math.max(0, upperBound(this.#edgesNs, this.#timesNs[row - 1]!) - 1);
      const last = Math.min(counts.length, lowerBound(this.#edgesNs, this.#timesNs[row]!)) - 1;
      for (let slice = first; slice <= last; slice++) counts[slice]!++;
    }
    return counts;
  }

  /** Finds the start of the part of a slice that has samples around it. */
  #findStart(slice: number): Position {
    const row = this.rows[slice]!;
    const timeNs = Math.max(this.#edgesNs[slice]!, this.#timesNs[0]!);
    if (!this.#isBeforeGap(row) || timeNs <= this.#timesNs[row]!) return { timeNs, row };
    return { timeNs: this.#timesNs[row + 1]!, row: row + 1 };
  }

  /** Finds the end of the part of a slice that has samples around it. */
  #findEnd(slice: number): Position {
    const row = this.rows[slice + 1]!;
    const timeNs = Math.min(this.#edgesNs[slice + 1]!, this.#timesNs.at(-1)!);
    return this.#isBeforeGap(row) ? { timeNs: Math.min(timeNs, this.#timesNs[row]!), row } : { timeNs, row };
  }

  /** Reports whether a long gap follows a sample. */
  #isBeforeGap(row: number): boolean {
    const nextNs = this.#timesNs[row + 1];
    return nextNs !== undefined && nextNs - this.#timesNs[row]! > this.#gapNs;
  }

  #interpolate(column: Float64Array, { timeNs, row }: Position): number {
    const fromNs = this.#timesNs[row]!;
    const toNs = this.#timesNs[row + 1];
    if (toNs === undefined || timeNs <= fromNs) return column[row]!;
    return column[row]! + ((timeNs - fromNs) / (toNs - fromNs)) * (column[row + 1]! - column[row]!);
  }
}
