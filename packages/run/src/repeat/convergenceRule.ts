/**
 * The rules for ending repeated runs early, as in AIPerf. `ci_width`: the width of the confidence interval of the mean,
 * divided by the mean, is below the threshold. `cv`: the coefficient of variation is below the threshold.
 * `distribution`: the requests of the last run have the same distribution as the requests of the runs before (two-sample
 * Kolmogorov-Smirnov test); its p-value is above the threshold.
 */
export const CONVERGENCE_MODES = ['ci_width', 'cv', 'distribution'] as const;
export type ConvergenceMode = (typeof CONVERGENCE_MODES)[number];

/** The default threshold of each mode, as in AIPerf. */
export const CONVERGENCE_THRESHOLDS: Readonly<Record<ConvergenceMode, number>> = {
  ci_width: 0.1,
  cv: 0.05,
  distribution: 0.05,
};

/** When the runs of a variation end before the planned number. */
export interface ConvergenceRule {
  /** Tag of a metric, such as `time_to_first_token`. */
  readonly metric: string;
  /** Statistic of the metric in each run, such as `avg`; not used by `distribution`. */
  readonly stat: string;
  readonly mode: ConvergenceMode;
  readonly threshold: number;
}
