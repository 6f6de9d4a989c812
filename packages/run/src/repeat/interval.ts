import jstat from 'jstat';

/** What several runs say of one figure, in its unit. */
export interface Interval {
  readonly mean: number;
  /** Sample standard deviation (divisor n − 1). */
  readonly std: number;
  readonly min: number;
  readonly max: number;
  /** std / |mean|; null where the mean is 0 and it would be infinite, which JSON cannot say. */
  readonly cv: number | null;
  /** Standard error of the mean: std / √n. */
  readonly se: number;
  /** Ends of the confidence interval of the mean: mean ± t_critical × se. */
  readonly ci_low: number;
  readonly ci_high: number;
  readonly t_critical: number;
}

/** Fewer values say nothing of their spread. */
export const LEAST_RUNS = 2;

/**
 * The mean of a figure over runs and its two-sided confidence interval by Student's t with n − 1 degrees of freedom (Student,
 * "The probable error of a mean", 1908; reference, section B7). It takes the runs as independent draws of one normal
 * distribution.
 *
 * @throws RangeError for fewer than two values, a value that is not finite, or a level that is not between 0 and 1.
 */
export function meanInterval(values: readonly number[], level: number): Interval {
  const n = values.length;
  if (n < LEAST_RUNS) throw new RangeError(`cannot make an interval of ${n} values; expected 2 or more`);
  const wrong = values.find(value => !Number.isFinite(value));
  if (wrong !== undefined) throw new RangeError(`cannot make an interval of ${wrong}`);
  const min = Math.min(...values);
  const max = Math.max(...values);
  const mean = meanOf(values, min, max);
  const std = deviationOf(values, mean);
  const se = std / Math.sqrt(n);
  const t = tCritical(level, n - 1);
  const cv = mean === 0 ? null : std / Math.abs(mean);
  return { mean, std, min, max, cv, se, ci_low: mean - t * se, ci_high: mean + t * se, t_critical: t };
}

/**
 * The two-sided critical value of Student's t: of `level` of all draws the amount is below it. To about seven digits, as jStat has them.
 *
 * @throws RangeError for a level that is not between 0 and 1, or no degrees of freedom.
 */
export function tCritical(level: number, degrees: number): number {
  if (!(level > 0 && level < 1)) throw new RangeError(`level is ${level}; expected a number between 0 and 1`);
  if (!(degrees >= 1)) throw new RangeError(`degrees of freedom are ${degrees}; expected 1 or more`);
  return jstat.jStat.studentt.inv((1 + level) / 2, degrees);
}

/** Scaled, so that huge values do not overflow; never outside of its values by rounding. */
function meanOf(values: readonly number[], min: number, max: number): number {
  const n = values.length;
  const plain = values.reduce((sum, value) => sum + value, 0) / n;
  const mean = Number.isFinite(plain) ? plain : values.reduce((sum, value) => sum + value / n, 0);
  return Math.min(max, Math.max(min, mean));
}

function deviationOf(values: readonly number[], mean: number): number {
  const distances = values.map(value => Math.abs(value - mean));
  const widest = Math.max(...distances);
  if (widest === 0) return 0;
  // Scaled: squares of small distances vanish, and of large ones overflow.
  const squares = distances.reduce((sum, distance) => sum + (distance / widest) ** 2, 0);
  return widest * Math.sqrt(squares / (values.length - 1));
}
