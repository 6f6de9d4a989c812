import type { Probe } from '@org/search';
import { isSuccess, type RunOutcome } from '../repeat/runOutcome.ts';
import type { Measurement } from './measureRun.ts';
import type { SearchPlan } from './searchPlan.ts';

/** A run of a search, and the results of its limits. */
export interface MeasuredRun {
  readonly outcome: RunOutcome;
  readonly measurement: Measurement;
}

/** Converts the runs of a search to the probes that its planner reads. */
export function toProbes(plan: SearchPlan, runs: readonly MeasuredRun[]): Probe[] {
  return runs.map(run => toProbe(plan, run));
}

function toProbe(plan: SearchPlan, { outcome, measurement }: MeasuredRun): Probe {
  const { verdict, margin } = measurement;
  const objective = readObjective(plan, outcome);
  return {
    values: plan.dimensions.map(({ path }) => Number(outcome.run.variation.values[path])),
    verdict,
    ...(margin !== undefined && { margin }),
    ...(hasEndedEarly(outcome) && { endedEarly: true }),
    ...(objective !== undefined && { objective }),
  };
}

/** Reads the objective of a run; undefined if the search has none or it is unknown. */
export function readObjective({ objective }: SearchPlan, outcome: RunOutcome): number | undefined {
  if (!objective || !isSuccess(outcome)) return undefined;
  return outcome.statistics.client.get(`${objective.metric}_${objective.stat}`)?.value;
}

/** Reports whether a run was ended because a limit had certainly failed. */
export function hasEndedEarly(outcome: RunOutcome): boolean {
  return !isSuccess(outcome) && outcome.endedEarly === true;
}
