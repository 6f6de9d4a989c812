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

/** The positions of slices between the samples of a series, for interpolation at the edges of the slices. */
export class SlicePositions {
  /** By edge: the row of the last sample at or before the edge. */
  readonly rows: Int32Array;
  readonly #timesNs: Float64Array;
  readonly #edgesNs: Float64Array;

  constructor(slices: Slices, timesNs: Float64Array) {
    this.rows = findRowsAtEdges(slices, timesNs);
    this.#timesNs = timesNs;
    this.#edgesNs = slices.edgesNs.slice();
    this.#edgesNs[this.#edgesNs.length - 1] = slices.lastSampleNs;
  }

  /**
   * Computes the increase per second of a column without resets in a slice that is not a gap. The column is
   * interpolated at the edges of the slice. Parts of the slice before the first and after the last sample do not count.
   */
  computeRate(column: Float64Array, slice: number): number {
    const increase = this.#interpolate(column, slice + 1) - this.#interpolate(column, slice);
    return increase / (this.#coveredNs(slice) / 1e9);
  }

  /** Reports whether a slice has no samples around it; see `SliceFacts`. */
  isGap(slice: number): boolean {
    if (this.#coveredNs(slice) <= 0) return true;
    const row = this.rows[slice]!;
    if (this.rows[slice + 1] !== row || this.#timesNs[row]! >= this.#edgesNs[slice]!) return false;
    const sliceNs = this.#edgesNs[slice + 1]! - this.#edgesNs[slice]!;
    return this.#timesNs[row + 1]! - this.#timesNs[row]! > 2 * sliceNs;
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

  /** Computes the length of the part of a slice that is between the first and the last sample, in ns. */
  #coveredNs(slice: number): number {
    const startNs = Math.max(this.#edgesNs[slice]!, this.#timesNs[0]!);
    return Math.min(this.#edgesNs[slice + 1]!, this.#timesNs.at(-1)!) - startNs;
  }

  #interpolate(column: Float64Array, edge: number): number {
    const row = this.rows[edge]!;
    const fromNs = this.#timesNs[row]!;
    const toNs = this.#timesNs[row + 1];
    const edgeNs = this.#edgesNs[edge]!;
    if (toNs === undefined || edgeNs <= fromNs) return column[row]!;
    return column[row]! + ((edgeNs - fromNs) / (toNs - fromNs)) * (column[row + 1]! - column[row]!);
  }
}
