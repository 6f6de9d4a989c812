import type { Sample } from './sample.ts';

/** Minimum mean excess for a significant correlation, in standard errors. */
const MIN_STANDARD_ERRORS = 2;
/** Maximum correlation of the observations of an interval. */
export const MAX_CORRELATION = 0.98;

/**
 * Estimates the correlation r (0 to 1) of the observations of an interval from the overdispersion of its
 * bucket counts: Pearson's chi^2 divided by its degrees of freedom is 1 + (n - 1) r.
 */
export function estimateIntervalCorrelation(sample: Sample): number {
  const { rows, start, active, count, size, total, observations } = sample;
  const degreesOfFreedom = total.length - 1;
  if (degreesOfFreedom < 1) return 0;
  const excesses: number[] = [];
  let weighted = 0;
  let weights = 0;
  for (let row = 0; row < rows; row += 1) {
    const n = size[row]!;
    if (n <= 1) continue;
    let squares = 0;
    for (let at = start[row]!; at < start[row + 1]!; at += 1) {
      squares += (count[at]! * count[at]! * observations) / total[active[at]!]!;
    }
    // chi^2 = sum c^2 / (n p) - n
    const excess = (squares / n - n) / degreesOfFreedom - 1;
    excesses.push(excess);
    weighted += excess * (n - 1);
    weights += (n - 1) ** 2;
  }
  // The comparison is false for NaN: a single row has no standard error.
  if (!(computeMeanInStandardErrors(excesses) >= MIN_STANDARD_ERRORS)) return 0;
  return Math.min(Math.max(weighted / weights, 0), MAX_CORRELATION);
}

/** Returns the mean of the values in units of its standard error. */
function computeMeanInStandardErrors(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
  return mean / (Math.sqrt(variance / values.length) + 1e-12);
}
