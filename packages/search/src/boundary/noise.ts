import jstat from 'jstat';
import { computeMedian, type Evidence } from './evidence.ts';

/** The difference between repeats of the same value. */
export interface Noise {
  /** Standard deviation of the margins of repeats. */
  readonly deviation: number;
  /** The quantile of Student's t for the confidence level and the degrees of freedom of the deviation. */
  readonly quantile: number;
}

/** Pools the standard deviations of repeats, for a two-sided confidence level; undefined without repeats. */
export function measureNoise(evidence: readonly Evidence[], level: number): Noise | undefined {
  const degrees = evidence.reduce((sum, { margins }) => sum + Math.max(0, margins.length - 1), 0);
  if (degrees === 0) return undefined;
  const squares = evidence.reduce((sum, { margins }) => sum + sumSquares(margins), 0);
  return {
    deviation: Math.sqrt(squares / degrees),
    quantile: jstat.jStat.studentt.inv((1 + level) / 2, degrees),
  };
}

/** Sums the squared differences from the mean. */
function sumSquares(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
}

/** Upper bound of the standard error of a median divided by that of a mean, for normally distributed values. */
const MEDIAN_FACTOR = Math.sqrt(Math.PI / 2);

/** Returns half of the width of the confidence interval of the median of `count` margins. */
export function computeHalfWidth({ deviation, quantile }: Noise, count: number): number {
  // The median of one or two values is their mean.
  return (quantile * deviation * (count > 2 ? MEDIAN_FACTOR : 1)) / Math.sqrt(count);
}

/**
 * Reports whether a value that failed and a higher one that passed contradict each other, beyond the noise of their repeats.
 * Without margins or repeats, they do.
 */
export function isContradiction(failed: Evidence, passed: Evidence, level: number): boolean {
  const noise = measureNoise([failed, passed], level);
  if (!noise || failed.margins.length === 0 || passed.margins.length === 0) return true;
  const half = Math.hypot(
    computeHalfWidth(noise, failed.margins.length),
    computeHalfWidth(noise, passed.margins.length),
  );
  return computeMedian(failed.margins) - computeMedian(passed.margins) > half;
}
