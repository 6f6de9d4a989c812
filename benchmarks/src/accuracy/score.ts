import type { PercentileEstimates } from '@org/core';

export type PercentileName = keyof PercentileEstimates;

/** How far one estimate is from the truth. */
export interface Score {
  readonly method: string;
  readonly percentile: PercentileName;
  readonly rate: number;
  readonly relative: number;
  /** |ln((estimate + floor) / (truth + floor))| */
  readonly logRatio: number;
  /** No estimate was given; it counts as an error of 100 % and a log ratio of 3. */
  readonly none: boolean;
}

/** A group of scores in the figures that the benchmark prints. */
export interface ScoreSummary {
  readonly median_rel: number;
  readonly p90_rel: number;
  readonly mean_rel: number;
  readonly mean_abs_log_ratio: number;
  readonly none: number;
}

const NONE = { relative: 1, logRatio: 3, none: true };

/** The errors of one estimate; `floor` keeps a truth of 0 from making every error infinite. */
export function errorsOf(
  estimate: number | undefined,
  truth: number,
  floor: number,
): Pick<Score, 'relative' | 'logRatio' | 'none'> {
  if (estimate === undefined || Number.isNaN(estimate)) return NONE;
  const relative = Math.abs(estimate - truth) / Math.max(Math.abs(truth), floor);
  const logRatio = Math.abs(Math.log((Math.max(estimate, 0) + floor) / (Math.max(truth, 0) + floor)));
  return { relative, logRatio, none: false };
}

export function summarize(scores: readonly Score[]): ScoreSummary {
  const relative = scores.map(score => score.relative).sort((a, b) => a - b);
  return {
    median_rel: quantile(relative, 0.5),
    p90_rel: quantile(relative, 0.9),
    mean_rel: mean(relative),
    mean_abs_log_ratio: mean(scores.map(score => score.logRatio)),
    none: scores.filter(score => score.none).length,
  };
}

function quantile(sorted: readonly number[], q: number): number {
  const h = q * (sorted.length - 1);
  const below = sorted[Math.floor(h)]!;
  return below + (h % 1) * (sorted[Math.ceil(h)]! - below);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
