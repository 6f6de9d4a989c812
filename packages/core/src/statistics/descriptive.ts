/**
 * Returns the compensated sum of values [from, to) (Neumaier 1974, "Rundungsfehleranalyse einiger Verfahren
 * zur Summation endlicher Summen"): as accurate as if it were computed with twice the precision, whatever the
 * order and magnitudes of the values.
 */
export function computeCompensatedSum(values: Float64Array, from = 0, to: number = values.length): number {
  let sum = 0;
  let compensation = 0;
  for (let at = from; at < to; at++) {
    const value = values[at]!;
    const next = sum + value;
    compensation += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    sum = next;
  }
  // After an overflow the compensation is NaN, but the sum is Infinity.
  return Number.isFinite(sum) ? sum + compensation : sum;
}

/**
 * Returns the arithmetic mean of values [from, to), which must not be empty. The mean is never outside the
 * range of the values.
 */
export function computeMean(values: Float64Array, from = 0, to: number = values.length): number {
  const { min, max } = findExtremes(values, from, to);
  if (min === max) return min;
  const count = to - from;
  const sum = computeCompensatedSum(values, from, to);
  // If the sum overflows, divide the values before adding them.
  const average = Number.isFinite(sum)
    ? sum / count
    : computeCompensatedSum(values.slice(from, to).map(value => value / count));
  return Math.min(max, Math.max(min, average));
}

/**
 * Returns the sample standard deviation (ddof 1): 0 for a single value, and exactly 0 for equal values.
 *
 * Uses two passes, the second corrected for the rounding of the mean (Chan, Golub, LeVeque 1983, "Algorithms
 * for Computing the Sample Variance", eq. 1.7), so values near 1e15 that differ in their last digits give the
 * correct result.
 */
export function computeStandardDeviation(values: Float64Array): number {
  if (values.length < 2) return 0;
  const { min, max } = findExtremes(values);
  if (min === max) return 0;
  const center = computeMean(values);
  const scale = floorToPowerOfTwo(Math.max(max - center, center - min));
  const deviations = values.map(value => (value - center) / scale);
  const rounding = computeCompensatedSum(deviations);
  for (let at = 0; at < deviations.length; at++) deviations[at]! *= deviations[at]!;
  const squares = computeCompensatedSum(deviations) - (rounding * rounding) / values.length;
  return Math.sqrt(squares / (values.length - 1)) * scale;
}

/** Finds the smallest and largest of values [from, to), which must not be empty. */
export function findExtremes(
  values: Float64Array,
  from = 0,
  to: number = values.length,
): { min: number; max: number } {
  let min = values[from]!;
  let max = min;
  for (let at = from + 1; at < to; at++) {
    const value = values[at]!;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return { min, max };
}

/**
 * Returns the largest power of two that is at most `size`. Scaling by it is exact, and squares of scaled
 * values do not overflow.
 */
function floorToPowerOfTwo(size: number): number {
  const exponent = Math.floor(Math.log2(size));
  return 2 ** Math.min(1023, Math.max(-1022, exponent));
}
