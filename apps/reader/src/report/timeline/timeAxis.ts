/** A time axis that is divided into bins of equal width. */
export interface Axis {
  /** The number of bins. It increases while a run is active. */
  readonly bins: number;
  /** The width of a bin, in seconds. */
  readonly width: number;
  /** The maximum number of bins of an axis that grows. */
  readonly capacity?: number;
}

/** Returns the number of bins of an axis, with those that it does not have yet. */
export function countBins({ bins, capacity = bins }: Axis): number {
  return capacity;
}

/** Creates one value per bin, also for the bins that an axis does not have yet. */
export function createBins(axis: Axis): Float64Array {
  return new Float64Array(countBins(axis));
}

/**
 * Distributes an amount over the bins between two times in seconds. Each bin receives a share in proportion to
 * its overlap with the time range. The share outside the axis is ignored.
 */
export function addToBins(sums: Float64Array, axis: Axis, from: number, to: number, amount: number): void {
  if (amount === 0) return;
  if (to <= from) {
    const bin = findBin(axis, to);
    if (bin >= 0) sums[bin]! += amount;
    return;
  }
  const lastBin = Math.min(countBins(axis) - 1, Math.floor(to / axis.width));
  for (let bin = Math.max(0, Math.floor(from / axis.width)); bin <= lastBin; bin++) {
    const overlap = Math.min(to, (bin + 1) * axis.width) - Math.max(from, bin * axis.width);
    if (overlap > 0) sums[bin]! += amount * (overlap / (to - from));
  }
}

/**
 * Returns the index of the bin that contains a time, or -1 outside the axis. The last bin includes the end of
 * the axis.
 */
export function findBin(axis: Axis, seconds: number): number {
  const { width } = axis;
  const bins = countBins(axis);
  const bin = Math.floor(seconds / width);
  if (bin === bins && seconds === bins * width) return bins - 1;
  return bin >= 0 && bin < bins ? bin : -1;
}

/** Computes the mean of the values in each bin of an axis. */
export class BinMeans {
  readonly #axis: Axis;
  readonly #sums: Float64Array;
  readonly #counts: Float64Array;

  constructor(axis: Axis) {
    this.#axis = axis;
    this.#sums = createBins(axis);
    this.#counts = createBins(axis);
  }

  /** Adds a value at a time. Values outside the axis and undefined values are ignored. */
  add(seconds: number, value: number | undefined): void {
    const bin = findBin(this.#axis, seconds);
    if (bin < 0 || value === undefined) return;
    this.#sums[bin]! += value;
    this.#counts[bin]!++;
  }

  /** Returns the mean of each bin; null for an empty bin. */
  values(): (number | null)[] {
    return Array.from(this.#sums.subarray(0, this.#axis.bins), (sum, bin) =>
      this.#counts[bin]! > 0 ? sum / this.#counts[bin]! : null,
    );
  }
}

/** Significant digits of values on the page. */
const SIGNIFICANT_DIGITS = 5;

/** Rounds a value to the number of significant digits on the page. */
export function roundValue(value: number): number {
  return Number(value.toPrecision(SIGNIFICANT_DIGITS));
}
