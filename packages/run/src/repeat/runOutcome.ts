import type { FailedRun, RequestCounts } from '@org/formats';
import type { RunStatistics } from '@org/record/aggregate';
import type { PlannedRun } from './repeatPlan.ts';

/** The outcome of a run of a repeated benchmark or sweep. */
export type RunOutcome = RunSuccess | RunFailure;

export interface RunSuccess {
  readonly run: PlannedRun;
  readonly counts: RequestCounts;
  readonly statistics: RunStatistics;
  /** Path of the requests file; absent if the run exports no requests. */
  readonly requests?: string;
}

/** A run that aggregates exclude. */
export interface RunFailure {
  readonly run: PlannedRun;
  /** Absent if the run threw an error, or if its exports cannot be read. */
  readonly counts?: RequestCounts;
  readonly error: string;
  /** True if the run was ended because a limit of a search had certainly failed. */
  readonly endedEarly?: boolean;
}

export function isSuccess(outcome: RunOutcome): outcome is RunSuccess {
  return 'statistics' in outcome;
}

/** Returns the successful runs, in order. */
export function filterSuccesses(outcomes: readonly RunOutcome[]): RunSuccess[] {
  return outcomes.filter(isSuccess);
}

/** Counts the runs of an aggregate. A run that a search has ended early is neither successful nor failed. */
export function countRuns(outcomes: readonly RunOutcome[]): number {
  return outcomes.filter(outcome => isSuccess(outcome) || !outcome.endedEarly).length;
}

/** Lists the failed runs for an aggregate. A run that a search has ended early has not failed. */
export function listFailedRuns(
  outcomes: readonly RunOutcome[],
  formatLabel: (run: PlannedRun) => string,
): FailedRun[] {
  return outcomes.flatMap(outcome =>
    isSuccess(outcome) || outcome.endedEarly
      ? []
      : [{ label: formatLabel(outcome.run), error: outcome.error }],
  );
}

/** Adds up the requests of all runs by outcome, including runs that aggregates exclude. */
export function sumCounts(outcomes: readonly RunOutcome[]): RequestCounts {
  const sum = (name: keyof RequestCounts): number =>
    outcomes.reduce((total, { counts }) => total + (counts?.[name] ?? 0), 0);
  return { succeeded: sum('succeeded'), failed: sum('failed'), cancelled: sum('cancelled') };
}
