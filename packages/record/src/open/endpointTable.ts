import { EndpointStore, type HistogramSeries, Layout, type ScalarSeries, type StoreMemory } from '@org/core';
import { listSlots } from './resetRestorer.ts';

/**
 * The samples of one endpoint: its layout, all its timestamps, and the values of the current pass, one row
 * per frame.
 */
export class EndpointTable {
  readonly layout: Layout = new Layout();
  readonly store: EndpointStore;
  values: Float64Array = new Float64Array(0);
  #previous: Float64Array | undefined;
  readonly #knownTimes = new Set<bigint>();
  #times: bigint[] = [];
  readonly #rows = new Map<bigint, number>();
  #firstRow = 0;
  #endRow = 0;

  constructor(memory: StoreMemory | undefined) {
    this.store = new EndpointStore(this.layout, memory);
  }

  addTime(ns: bigint): void {
    this.#knownTimes.add(ns);
  }

  /** Sorts the timestamps and assigns a row to each. Returns the total number of values. */
  indexTimes(): number {
    this.#times = [...this.#knownTimes].sort((a, b) => (a < b ? -1 : 1));
    this.#times.forEach((ns, row) => {
      this.#rows.set(ns, row);
    });
    return this.#times.length * this.layout.slotCount;
  }

  startPass(pass: number, passes: number): void {
    this.#firstRow = Math.floor((pass * this.#times.length) / passes);
    this.#endRow = Math.floor(((pass + 1) * this.#times.length) / passes);
    this.values = new Float64Array((this.#endRow - this.#firstRow) * this.layout.slotCount).fill(Number.NaN);
  }

  /** Returns the index of a frame's first value in `values`; -1 if another pass reads the frame. */
  findCell(ns: bigint): number {
    const row = this.#rows.get(ns)!;
    return row < this.#firstRow || row >= this.#endRow ? -1 : (row - this.#firstRow) * this.layout.slotCount;
  }

  /** Sets the values of a series at its reference sample: 0, or the values of the server if they are known. */
  setReference(
    series: ScalarSeries | HistogramSeries,
    ns: bigint | null,
    base: readonly number[] | undefined,
  ): void {
    const cell = ns === null ? -1 : this.findCell(ns);
    if (cell < 0) return;
    listSlots(series).forEach((slot, at) => {
      this.values[cell + slot] = base?.[at] ?? 0;
    });
  }

  /** Removes the sum at the reference sample of a histogram without sums. */
  removeSums(series: HistogramSeries, referenceNs: bigint | null): void {
    const cell = referenceNs === null ? -1 : this.findCell(referenceNs);
    if (cell >= 0) this.values[cell + series.sum] = Number.NaN;
  }

  /**
   * Appends the frames of the pass to the store. A frame that equals the previous frame counts as an
   * unchanged body.
   */
  endPass(): void {
    const { slotCount } = this.layout;
    for (let row = this.#firstRow; row < this.#endRow; row++) {
      const start = (row - this.#firstRow) * slotCount;
      const values = this.values.subarray(start, start + slotCount);
      const previous = this.#previous;
      const changed =
        previous === undefined || values.some((value, slot) => !Object.is(value, previous[slot]));
      this.store.append({ timestampNs: this.#times[row]!, latencyNs: 0, changed, values });
      this.#previous = values;
    }
    this.#previous = this.#previous?.slice();
    this.values = new Float64Array(0);
  }
}
