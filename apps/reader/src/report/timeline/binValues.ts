import { type Axis, countBins, findBin } from './timeAxis.ts';

/** The values in one bin: those that are in ascending order, and those that were added later. */
interface Bin {
  ascending: Float64Array;
  added: number[];
}

const NO_VALUES = new Float64Array(0);

/** Values in the bins of a time axis. They are sorted once. */
export class BinValues {
  readonly #axis: Axis;
  readonly #bins: readonly Bin[];

  constructor(axis: Axis) {
    this.#axis = axis;
    this.#bins = Array.from({ length: countBins(axis) }, () => ({ ascending: NO_VALUES, added: [] }));
  }

  /** Adds a value at a time in seconds. Values outside the axis are ignored. */
  add(seconds: number, value: number): void {
    const bin = findBin(this.#axis, seconds);
    if (bin >= 0) this.#bins[bin]!.added.push(value);
  }

  /** Returns the values of each bin, in ascending order. */
  list(): readonly Float64Array[] {
    return this.#bins.slice(0, this.#axis.bins).map(sortBin);
  }
}

/** Sorts the values that were added to a bin, and returns all of its values. */
function sortBin(bin: Bin): Float64Array {
  if (bin.added.length > 0) {
    const all = new Float64Array(bin.ascending.length + bin.added.length);
    all.set(bin.ascending);
    all.set(bin.added, bin.ascending.length);
    bin.ascending = all.sort();
    bin.added = [];
  }
  return bin.ascending;
}
