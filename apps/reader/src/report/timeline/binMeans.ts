import { type Axis, findBin } from './timeAxis.ts';

/** Computes the mean of the values in each bin of an axis. */
export class BinMeans {
  readonly #axis: Axis;
  readonly #sums: Float64Array;
  readonly #counts: Uint32Array;

  constructor(axis: Axis) {
    this.#axis = axis;
    this.#sums = new Float64Array(axis.bins);
    this.#counts = new Uint32Array(axis.bins);
  }

  /** Adds a value; values outside of the axis, and missing ones, are ignored. */
  add(seconds: number, value: number | undefined): void {
    const bin = findBin(this.#axis, seconds);
    if (bin < 0 || value === undefined) return;
    this.#sums[bin]! += value;
    this.#counts[bin]!++;
  }

  /** One value per bin; null for an empty bin. */
  values(): (number | null)[] {
    return Array.from(this.#sums, (sum, bin) => (this.#counts[bin]! > 0 ? sum / this.#counts[bin]! : null));
  }
}
