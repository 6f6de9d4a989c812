/** A parameter to search, and the range of its values. */
export interface Dimension {
  readonly low: number;
  readonly high: number;
  readonly isInteger: boolean;
}

/** The result of the runs of one probe, which measured the server with one set of parameter values. */
export interface Probe {
  /** One value per dimension. */
  readonly values: readonly number[];
  readonly verdict: Verdict;
  /**
   * The distance to the nearest limit as a fraction of this limit: 0.1 exceeds it by 10%, -0.1 is 10% within it. Absent if
   * a limit has no single number, or if the run ended early.
   */
  readonly margin?: number;
  /** True if the run ended early because a limit had certainly failed. */
  readonly endedEarly?: boolean;
  /** The value to optimize; absent if it is unknown. */
  readonly objective?: number;
}

/** The verdict on all limits. `unknown`: a limit could not be evaluated, or no request succeeded. */
export type Verdict = 'passed' | 'failed' | 'unknown';

/** The next step of a search: a probe, or the end. */
export type Step = ProbeStep | { readonly kind: 'stop'; readonly reason: StopReason };

export interface ProbeStep {
  readonly kind: 'probe';
  /** One value per dimension. */
  readonly values: readonly number[];
  /** True if only the verdict is needed, so that the probe may end as soon as a limit has certainly failed. */
  readonly mayEndEarly: boolean;
}

/**
 * Why a search ended. `no_pass_in_range`: the limits fail already at the lowest value. `no_failure_in_range`: they hold at
 * the highest value. `non_monotonic`: a lower value failed and a higher one passed, also after repeats.
 */
export type StopReason =
  | 'precision_reached'
  | 'no_pass_in_range'
  | 'no_failure_in_range'
  | 'non_monotonic'
  | 'unknown_verdict'
  | 'max_iterations';

/** Bounds of the effort of a search. */
export interface Budget {
  readonly maxProbes: number;
}
