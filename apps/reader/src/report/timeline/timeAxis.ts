/** Bins of equal width on a time axis, in seconds. */
export interface Axis {
  readonly bins: number;
  readonly width: number;
}

/** Adds an amount to the bins between two times, in proportion to their overlap. */
export function addToBins(sums: Float64Array, axis: Axis, from: number, to: number, amount: number): void {
  if (amount === 0) return;
  if (to <= from) {
    const bin = findBin(axis, to);
    if (bin >= 0) sums[bin]! += amount;
    return;
  }
  const last = Math.min(axis.bins - 1, Math.floor(to / axis.width));
  for (let bin = Math.max(0, Math.floor(from / axis.width)); bin <= last; bin++) {
    const share = Math.min(to, (bin + 1) * axis.width) - Math.max(from, bin * axis.width);
    if (share > 0) sums[bin]! += amount * (share / (to - from));
  }
}

/** Returns the bin of a time, or -1 outside of the axis; the end of the axis belongs to the last bin. */
export function findBin({ bins, width }: Axis, seconds: number): number {
  const bin = Math.floor(seconds / width);
  if (bin === bins && seconds === bins * width) return bins - 1;
  return bin >= 0 && bin < bins ? bin : -1;
}

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
