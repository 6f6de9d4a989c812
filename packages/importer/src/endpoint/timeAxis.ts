/** A range of samples in a `SampleBuffer`. */
export interface SampleRange {
  readonly from: number;
  readonly to: number;
}

/**
 * The times of the scrapes in a piece. Samples of one scrape share their time. If the times of the scrapes are known from
 * `up`, samples with other timestamps belong to the next scrape.
 */
export class TimeAxis {
  readonly #times: Float64Array;
  #rows: ReadonlyMap<number, number> | undefined;
  readonly #maxShiftMs: number;

  private constructor(times: Float64Array, maxShiftMs: number) {
    this.#times = times;
    this.#maxShiftMs = maxShiftMs;
  }

  /**
   * Creates the axis of all times in the ranges. `scrapeTimes` are the times of the scrapes, ascending, or undefined if
   * they are unknown.
   */
  static create(
    times: Float64Array,
    ranges: readonly SampleRange[],
    scrapeTimes: Float64Array | undefined,
  ): TimeAxis {
    const maxShiftMs = scrapeTimes ? findInterval(scrapeTimes) : 0;
    let axis = new TimeAxis(scrapeTimes ?? new Float64Array(0), maxShiftMs);
    let added: Set<number> | undefined;
    for (const range of ranges) {
      if (axis.isEqualTo(times, range)) continue;
      if (axis.#times.length === 0 && added === undefined) {
        axis = new TimeAxis(times.slice(range.from, range.to).sort(), maxShiftMs);
        continue;
      }
      for (let at = range.from; at < range.to; at++)
        if (axis.findRow(times[at]!) === -1) added = (added ?? new Set()).add(times[at]!);
    }
    if (!added) return axis;
    return new TimeAxis(Float64Array.from(new Set([...axis.#times, ...added])).sort(), maxShiftMs);
  }

  /** The times in Unix milliseconds, ascending. */
  get times(): Float64Array {
    return this.#times;
  }

  /** Reports whether a range of samples has exactly the times of the axis. */
  isEqualTo(times: Float64Array, { from, to }: SampleRange): boolean {
    if (to - from !== this.#times.length) return false;
    for (let row = 0; row < this.#times.length; row++)
      if (times[from + row] !== this.#times[row]) return false;
    return true;
  }

  /** Returns the row of the scrape that a time belongs to; -1 if there is no such scrape. */
  findRow(timeMs: number): number {
    this.#rows ??= new Map([...this.#times].map((time, row) => [time, row]));
    const row = this.#rows.get(timeMs);
    if (row !== undefined) return row;
    if (this.#maxShiftMs === 0) return -1;
    const next = this.#findNext(timeMs);
    return next < this.#times.length && this.#times[next]! - timeMs <= this.#maxShiftMs ? next : -1;
  }

  #findNext(timeMs: number): number {
    let low = 0;
    let high = this.#times.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#times[middle]! < timeMs) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Returns the median interval between scrapes, in milliseconds; 0 with fewer than two scrapes. */
function findInterval(times: Float64Array): number {
  const intervals = times.subarray(1).map((time, row) => time - times[row]!);
  return intervals.sort()[intervals.length >>> 1] ?? 0;
}
