import jstat from 'jstat';
import { MIN_INTERVAL_RUNS } from '../intervalRuns.ts';

/** Statistics of one value over several runs, in the unit of the value. */
export interface ConfidenceInterval {
  readonly mean: number;
  /** Sample standard deviation (divisor n − 1). */
  readonly std: number;
  readonly min: number;
  readonly max: number;
  /** Coefficient of variation: std / |mean|; null if the mean is 0. */
  readonly cv: number | null;
  /** Standard error of the mean: std / √n. */
  readonly se: number;
  /** Ends of the confidence interval of the mean: mean ± t_critical × se. */
  readonly ci_low: number;
  readonly ci_high: number;
  readonly t_critical: number;
}

/**
 * Computes the two-sided confidence interval of a mean by Student's t distribution with n − 1 degrees of
 * freedom (Student, "The probable error of a mean", 1908). Assumes that the values are independent and
 * normally distributed.
 *
 * Throws a RangeError if there are fewer than two values, a value is not finite, or the level is not between
 * 0 and 1.
 */
export function computeInterval(values: readonly number[], level: number): ConfidenceInterval {
  const n = values.length;
  if (n < MIN_INTERVAL_RUNS)
    throw new RangeError(`cannot compute an interval of ${n} values; expected at least ${MIN_INTERVAL_RUNS}`);
  const invalidValue = values.find(value => !Number.isFinite(value));
  if (invalidValue !== undefined)
    throw new RangeError(`cannot compute an interval of the value ${invalidValue}`);
  const min = Math.min(...values);
  const max = Math.max(...values);
  const mean = computeMean(values, min, max);
  const std = computeDeviation(values, mean);
  const se = std / Math.sqrt(n);
  const t = computeCriticalT(level, n - 1);
  const cv = mean === 0 ? null : std / Math.abs(mean);
  return { mean, std, min, max, cv, se, ci_low: mean - t * se, ci_high: mean + t * se, t_critical: t };
}

/**
 * Computes the two-sided critical value of Student's t distribution: the value that |t| does not exceed with
 * probability `level`. Accurate to about seven digits.
 *
 * Throws a RangeError if the level is not between 0 and 1, or there is less than one degree of freedom.
 */
export function computeCriticalT(level: number, degrees: number): number {
  if (!(level > 0 && level < 1)) throw new RangeError(`level is ${level}; expected a number between 0 and 1`);
  if (!(degrees >= 1)) throw new RangeError(`degrees of freedom is ${degrees}; expected at least 1`);
  return jstat.jStat.studentt.inv((1 + level) / 2, degrees);
}

/**
 * Computes the mean. Divides before summing if the sum overflows, and limits rounding errors to the range of
 * the values.
 */
function computeMean(values: readonly number[], min: number, max: number): number {
  const n = values.length;
  const plainMean = values.reduce((sum, value) => sum + value, 0) / n;
  const mean = Number.isFinite(plainMean) ? plainMean : values.reduce((sum, value) => sum + value / n, 0);
  return Math.min(max, Math.max(min, mean));
}

/** Computes the sample standard deviation. */
function computeDeviation(values: readonly number[], mean: number): number {
  const distances = values.map(value => Math.abs(value - mean));
  const largest = Math.max(...distances);
  if (largest === 0) return 0;
  // Distances are scaled, because the squares of very small and very large distances underflow and overflow.
  const squares = distances.reduce((sum, distance) => sum + (distance / largest) ** 2, 0);
  return largest * Math.sqrt(squares / (values.length - 1));
}
