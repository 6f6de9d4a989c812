/** Which runs follow each other: all variations once and then again, or all runs of one variation and then the next. */
export type SweepMode = 'repeated' | 'independent';

/** How often a benchmark is run, and how. */
export interface Repetition {
  /** Runs of each variation. */
  readonly runs: number;
  readonly cooldownSeconds: number;
  readonly confidenceLevel: number;
  readonly mode: SweepMode;
  /** The seed that was asked for. */
  readonly seed: number | undefined;
  /** Every variation has the same seed. */
  readonly sameSeed: boolean;
  /** Every run has another one. */
  readonly varySeed: boolean;
}
