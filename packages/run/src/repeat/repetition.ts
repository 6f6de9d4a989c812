/** Run order: `repeated` runs all variations once before the next trial; `independent` completes each variation first. */
export type SweepMode = 'repeated' | 'independent';

/** Number, order and seeds of the runs of a repeated benchmark. */
export interface Repetition {
  /** Number of runs of each variation. */
  readonly runs: number;
  /** Pause between two runs, in seconds. */
  readonly cooldownSeconds: number;
  /** Confidence level of the intervals, between 0 and 1. */
  readonly confidenceLevel: number;
  readonly mode: SweepMode;
  /** Seed of the first variation; `DEFAULT_REPEAT_SEED` if undefined. */
  readonly seed: number | undefined;
  /** True if all variations have the same seed. */
  readonly sameSeed: boolean;
  /** True if every run has a different seed. */
  readonly varySeed: boolean;
}

/** Minimum number of successful runs for a confidence interval. */
export const MIN_INTERVAL_RUNS = 2;
