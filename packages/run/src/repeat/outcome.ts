import type { FailedRun } from '@org/formats';
import type { RunFigures } from './figures.ts';
import type { PlannedRun } from './plan.ts';

/** What became of one run. */
export type RunOutcome = RunSuccess | RunFailure;

export interface RunSuccess {
  readonly run: PlannedRun;
  readonly figures: RunFigures;
  /** Path of its requests, one a line. */
  readonly requests: string;
}

export interface RunFailure {
  readonly run: PlannedRun;
  /** Why its figures do not count. */
  readonly error: string;
}

export function isSuccess(outcome: RunOutcome): outcome is RunSuccess {
  return 'figures' in outcome;
}

/** The runs that were complete, in their order. */
export function successes(outcomes: readonly RunOutcome[]): RunSuccess[] {
  return outcomes.filter(isSuccess);
}

/** Those that were not, as aggregates list them. */
export function failedRuns(
  outcomes: readonly RunOutcome[],
  labelOf: (run: PlannedRun) => string,
): FailedRun[] {
  return outcomes.flatMap(outcome =>
    isSuccess(outcome) ? [] : [{ label: labelOf(outcome.run), error: outcome.error }],
  );
}
