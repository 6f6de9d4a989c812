/**
 * The sum of values [from, to), compensated (Neumaier 1974, "Rundungsfehleranalyse einiger Verfahren zur Summation
 * endlicher Summen"): as exact as if it were done in twice the digits, whatever the order and size of the values.
 */
export function compensatedSum(values: Float64Array, from = 0, to: number = values.length): number {
  let sum = 0;
  let lost = 0;
  for (let at = from; at < to; at++) {
    const value = values[at]!;
    const next = sum + value;
    lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    sum = next;
  }
  // An overflow leaves NaN in `lost`; the sum alone then says Infinity.
  return Number.isFinite(sum) ? sum + lost : sum;
}

/** The arithmetic mean of values [from, to), at least one; never outside their range. */
export function mean(values: Float64Array, from = 0, to: number = values.length): number {
  const { min, max } = extremes(values, from, to);
  if (min === max) return min;
  const count = to - from;
  const sum = compensatedSum(values, from, to);
  // Values near the largest double: their sum overflows, the sum of their shares does not.
  const average = Number.isFinite(sum)
    ? sum / count
    : compensatedSum(values.slice(from, to).map(value => value / count));
  return Math.min(max, Math.max(min, average));
}

/**
 * The sample standard deviation (ddof 1) of all values; 0 for one value, and exactly 0 for a constant.
 *
 * Two passes, the second corrected for the rounding of the mean (Chan, Golub, LeVeque 1983, "Algorithms for
 * Computing the Sample Variance", eq. 1.7), so that values near 1e15 that differ in their last digits come out right.
 */
export function standardDeviation(values: Float64Array): number {
  if (values.length < 2) return 0;
  const { min, max } = extremes(values);
  if (min === max) return 0;
  const centre = mean(values);
  const scale = powerOfTwo(Math.max(max - centre, centre - min));
  const deviations = values.map(value => (value - centre) / scale);
  const rounding = compensatedSum(deviations);
  for (let at = 0; at < deviations.length; at++) deviations[at]! *= deviations[at]!;
  const squares = compensatedSum(deviations) - (rounding * rounding) / values.length;
  return Math.sqrt(squares / (values.length - 1)) * scale;
}

/** Smallest and largest of values [from, to), at least one. */
export function extremes(
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

/** The power of two next to a size, so that scaling loses no digits and squares neither overflow nor vanish. */
function powerOfTwo(size: number): number {
  const exponent = Math.floor(Math.log2(size));
  return 2 ** Math.min(1023, Math.max(-1022, exponent));
}
