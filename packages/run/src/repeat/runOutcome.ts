import type { FailedRun } from '@org/formats';
import type { PlannedRun } from './repeatPlan.ts';
import type { RunStatistics } from './runStatistics.ts';

/** The outcome of a run of a repeated benchmark or sweep. */
export type RunOutcome = RunSuccess | RunFailure;

export interface RunSuccess {
  readonly run: PlannedRun;
  readonly statistics: RunStatistics;
  /** Path of the requests file. */
  readonly requests: string;
}

/** A run that aggregates exclude. */
export interface RunFailure {
  readonly run: PlannedRun;
  readonly error: string;
}

export function isSuccess(outcome: RunOutcome): outcome is RunSuccess {
  return 'statistics' in outcome;
}

/** Returns the successful runs, in order. */
export function filterSuccesses(outcomes: readonly RunOutcome[]): RunSuccess[] {
  return outcomes.filter(isSuccess);
}

/** Lists the failed runs for an aggregate. */
export function listFailedRuns(
  outcomes: readonly RunOutcome[],
  formatLabel: (run: PlannedRun) => string,
): FailedRun[] {
  return outcomes.flatMap(outcome =>
    isSuccess(outcome) ? [] : [{ label: formatLabel(outcome.run), error: outcome.error }],
  );
}

/** Describes a run without successful requests. `failed` is the number of failed requests. */
export function describeNoSuccess(failed: number): string {
  if (failed === 0) return 'no request was sent';
  return failed === 1 ? 'the only request failed' : `all ${failed} requests failed`;
}
