import type { PercentileEstimates } from '@org/core';

export type PercentileName = keyof PercentileEstimates;

/** The error of one estimate, compared with the true percentile. */
export interface Score {
  readonly method: string;
  readonly percentile: PercentileName;
  /** Observations per second. */
  readonly rate: number;
  /** Error relative to the true value; 0.1 is 10%. */
  readonly relative: number;
  /** |ln((estimate + floor) / (truth + floor))|, where negative values count as 0. */
  readonly logRatio: number;
  /** True if there is no estimate. A missing estimate counts as an error of 100% and a log ratio of 3. */
  readonly isMissing: boolean;
}

/** Summary of scores, with the field names that the benchmark prints. */
export interface ScoreSummary {
  /** Median, 90th percentile and mean of the relative error. */
  readonly median_rel: number;
  readonly p90_rel: number;
  readonly mean_rel: number;
  readonly mean_abs_log_ratio: number;
  /** Number of missing estimates. */
  readonly none: number;
}

/** The errors of a missing estimate. */
const MISSING = { relative: 1, logRatio: 3, isMissing: true };

/** Computes the errors of one estimate. `floor` limits the errors if the true value is near 0. */
export function computeErrors(
  estimate: number | undefined,
  truth: number,
  floor: number,
): Pick<Score, 'relative' | 'logRatio' | 'isMissing'> {
  if (estimate === undefined || Number.isNaN(estimate)) return MISSING;
  const relative = Math.abs(estimate - truth) / Math.max(Math.abs(truth), floor);
  const logRatio = Math.abs(Math.log((Math.max(estimate, 0) + floor) / (Math.max(truth, 0) + floor)));
  return { relative, logRatio, isMissing: false };
}

/** Summarizes the errors of at least one score. */
export function summarize(scores: readonly Score[]): ScoreSummary {
  const relative = scores.map(score => score.relative).sort((a, b) => a - b);
  return {
    median_rel: interpolateQuantile(relative, 0.5),
    p90_rel: interpolateQuantile(relative, 0.9),
    mean_rel: computeMean(relative),
    mean_abs_log_ratio: computeMean(scores.map(score => score.logRatio)),
    none: scores.filter(score => score.isMissing).length,
  };
}

function interpolateQuantile(sorted: readonly number[], q: number): number {
  const rank = q * (sorted.length - 1);
  const lower = sorted[Math.floor(rank)]!;
  return lower + (rank % 1) * (sorted[Math.ceil(rank)]! - lower);
}

function computeMean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
