import type { RunSlice } from './statistics.ts';

/**
 * Maximum number of timeslices of a run that are in memory, about 20 MB. Timeslices of further series replace the ones
 * that were created first.
 */
const MAX_SLICES = 60_000;

/** The timeslices of the series that were used last. Timeslices of a run can need more memory than all of its other data. */
export class RecentSlices {
  readonly #max: number;
  readonly #slices = new Map<object, readonly RunSlice[]>();
  #count = 0;

  constructor(max: number = MAX_SLICES) {
    this.#max = max;
  }

  /** Returns the timeslices of a series, which `create` creates if they are not in memory. */
  get(series: object, create: () => readonly RunSlice[]): readonly RunSlice[] {
    const known = this.#slices.get(series);
    if (known) return known;
    const slices = create();
    this.#slices.set(series, slices);
    this.#count += slices.length;
    for (const [oldest, { length }] of this.#slices) {
      if (this.#count <= this.#max) break;
      this.#slices.delete(oldest);
      this.#count -= length;
    }
    return slices;
  }
}
