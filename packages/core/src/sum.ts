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
