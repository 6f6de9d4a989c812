import type { ObservedRun } from '../../support/observedRun.ts';

/** The effect of an option: what a run shows without and with it. */
export interface Effect {
  readonly observe: (run: ObservedRun) => unknown;
  readonly without: unknown;
  readonly with: unknown;
  /** Options of both runs, instead of those that the sample requires. */
  readonly requires?: string;
  /** The option and its value, instead of the sample. */
  readonly words?: string;
}
