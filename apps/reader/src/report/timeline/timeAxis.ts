/** Bins of equal width on a time axis, in seconds. */
export interface Axis {
  readonly bins: number;
  readonly width: number;
}

/** Adds an amount to the bins between two times, in proportion to their overlap. */
export function addToBins(into: Float64Array, axis: Axis, from: number, to: number, amount: number): void {
  if (amount === 0) return;
  if (to <= from) {
    const bin = findBin(axis, to);
    if (bin >= 0) into[bin]! += amount;
    return;
  }
  const last = Math.min(axis.bins - 1, Math.floor(to / axis.width));
  for (let bin = Math.max(0, Math.floor(from / axis.width)); bin <= last; bin++) {
    const share = Math.min(to, (bin + 1) * axis.width) - Math.max(from, bin * axis.width);
    if (share > 0) into[bin]! += amount * (share / (to - from));
  }
}

/** Returns the bin of a time, or -1 outside of the axis; the end of the axis belongs to the last bin. */
export function findBin({ bins, width }: Axis, seconds: number): number {
  const bin = Math.floor(seconds / width);
  if (bin === bins && seconds === bins * width) return bins - 1;
  return bin >= 0 && bin < bins ? bin : -1;
}
