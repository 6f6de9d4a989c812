/** Rounds a value to `digits` decimal places. */
export function round(value: number, digits = 0): number {
  return Number(value.toFixed(digits));
}

/** Returns the median, or the upper median of an even number of values. Returns NaN if there are no values. */
export function computeMedian(values: Iterable<number>): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

/** Returns the quantile `share` (0 to 1) of the values, without interpolation. Returns NaN if there are no values. */
export function computeQuantile(values: Iterable<number>, share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
