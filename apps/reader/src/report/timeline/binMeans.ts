import { type Axis, findBin } from './timeAxis.ts';

/** The mean of values in each bin of an axis. */
export class BinMeans {
  readonly #axis: Axis;
  readonly #sums: Float64Array;
  readonly #counts: Uint32Array;

  constructor(axis: Axis) {
    this.#axis = axis;
    this.#sums = new Float64Array(axis.bins);
    this.#counts = new Uint32Array(axis.bins);
  }

  /** What lies outside of the axis, or was not measured, does not count. */
  add(seconds: number, value: number | undefined): void {
    const bin = findBin(this.#axis, seconds);
    if (bin < 0 || value === undefined) return;
    this.#sums[bin]! += value;
    this.#counts[bin]!++;
  }

  /** One a bin; null where there was no value. */
  values(): (number | null)[] {
    return Array.from(this.#sums, (sum, bin) => (this.#counts[bin]! > 0 ? sum / this.#counts[bin]! : null));
  }
}
