import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describeSystemError, formatCount } from '@org/core';
import { findRunFolders, RunInputError } from '@org/record';
import { findJournal, listJournals } from '@org/record/journal';
import { JournalError } from '@org/scrape';
import type { RecoverEvent } from '../events.ts';
import { countSkippedRuns } from '../repeat/convergence.ts';
import { type JournaledPlan, PLAN_JOURNAL, readPlan } from '../repeat/planJournal.ts';
import { isSuccess, type RunOutcome } from '../repeat/runOutcome.ts';
import { type RepeatExports, writeRepeated } from '../repeat/writeRepeated.ts';
import type { MeasuredRun } from '../search/probes.ts';
import { Search } from '../search/search.ts';
import type { SearchPlan } from '../search/searchPlan.ts';
import { KILLED, readOutcomes } from './outcomes.ts';
import { type RecoveredExports, type RecoverOptions, recover } from './recover.ts';

/** The runs of a repeated benchmark or sweep that can be recovered or aggregated. */
export interface RepeatedRuns {
  readonly folder: string;
  /** The plan, or the reason why it is unknown. */
  readonly plan: JournaledPlan | string;
  /** Folders of the runs that have a journal, in run order. */
  readonly journaledRuns: readonly string[];
}

/** An event during the recovery of repeated runs, including the events of each run. */
export type RecoverRepeatedRunsEvent =
  | RecoverEvent
  /** The benchmark is still active; the aggregates cover only the runs so far. */
  | { readonly type: 'runs_active'; readonly folder: string }
  | { readonly type: 'recovery_started'; readonly folder: string }
  | { readonly type: 'recovery_ended'; readonly run: RecoveredExports }
  | { readonly type: 'recovery_failed'; readonly message: string };

export interface RecoverRepeatedRunsOptions extends Omit<RecoverOptions, 'onEvent'> {
  readonly onEvent?: (event: RecoverRepeatedRunsEvent) => void;
}

/** The result of recovering a repeated benchmark or sweep. */
export interface RecoveredRuns {
  /** Aggregates, if the plan is known. */
  readonly aggregates?: {
    readonly plan: JournaledPlan['plan'];
    readonly outcomes: readonly RunOutcome[];
    readonly exports: RepeatExports;
    /** Number of planned runs that were not executed because the runs of their variation had converged. */
    readonly skipped: number;
  };
  /** True if all exports are written. */
  readonly isWritten: boolean;
}

/**
 * Finds the runs of a repeated benchmark or sweep, from its folder or the path of its plan journal. Returns
 * undefined if the folder contains a single run or no runs. Throws `RunInputError` if nothing can be
 * recovered.
 */
export async function findRepeatedRuns(path: string): Promise<RepeatedRuns | undefined> {
  const isPlan = basename(path) === PLAN_JOURNAL;
  const folder = isPlan ? dirname(path) : path;
  const { journals, skipped } = await listJournals(folder).catch(() => ({ journals: [], skipped: [] }));
  const hasPlan = isPlan || [...journals, ...skipped].includes(PLAN_JOURNAL);
  if (!isPlan && journals.some(name => name !== PLAN_JOURNAL)) return undefined;
  const runs = await findRunFolders(folder);
  if (!hasPlan && runs.length === 0) return undefined;
  const plan = hasPlan ? tryReadPlan(folder) : describeMissingPlan(folder);
  const journaledRuns: string[] = [];
  for (const run of runs) if (await mayHaveJournal(run)) journaledRuns.push(run);
  if (journaledRuns.length > 0 || typeof plan !== 'string') return { folder, plan, journaledRuns };
  throw new RunInputError(
    hasPlan
      ? `no run in ${JSON.stringify(folder)} has a journal; ${plan}`
      : `${JSON.stringify(folder)} contains ${formatCount(runs.length, 'run')} but no journal; the journal of a completed run is deleted`,
  );
}

/**
 * Reports whether a folder contains a journal. Returns true for an unreadable folder, whose recovery reports
 * the error.
 */
async function mayHaveJournal(run: string): Promise<boolean> {
  const names = await listJournals(run).catch(() => undefined);
  return names === undefined || names.journals.length > 0;
}

function tryReadPlan(folder: string): JournaledPlan | string {
  try {
    return readPlan(folder) ?? `${PLAN_JOURNAL} contains no plan`;
  } catch (error) {
    if (error instanceof JournalError) return `${PLAN_JOURNAL} contains no plan: ${error.message}`;
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return `cannot read ${PLAN_JOURNAL}: ${describeSystemError(error)}`;
  }
}

function describeMissingPlan(folder: string): string {
  const isInParent = existsSync(join(folder, '..', PLAN_JOURNAL));
  return `${PLAN_JOURNAL} is ${isInParent ? 'in the parent folder' : 'not in this folder'}`;
}

/**
 * Recovers each run that has a journal, then writes the aggregates if the plan is known. Continues if a run cannot be
 * recovered.
 */
export async function recoverRepeatedRuns(
  { folder, plan, journaledRuns }: RepeatedRuns,
  { onEvent: emit = () => {}, ...options }: RecoverRepeatedRunsOptions = {},
): Promise<RecoveredRuns> {
  if (typeof plan !== 'string' && plan.state === 'active') emit({ type: 'runs_active', folder });
  let isWritten = true;
  for (const run of journaledRuns) {
    emit({ type: 'recovery_started', folder: run });
    try {
      const recoveredRun = await recover(await findJournal(run), { ...options, onEvent: emit });
      emit({ type: 'recovery_ended', run: recoveredRun });
      if (!recoveredRun.isWritten) isWritten = false;
    } catch (error) {
      if (!(error instanceof RunInputError)) throw error;
      emit({ type: 'recovery_failed', message: error.message });
      isWritten = false;
    }
  }
  if (typeof plan === 'string') return { isWritten };
  const outcomes = await readOutcomes(folder, plan);
  const skipped = await countSkippedRuns(plan.plan, outcomes);
  const exports = await writeAggregates(folder, plan, outcomes, skipped);
  return {
    aggregates: { plan: plan.plan, outcomes, exports, skipped },
    isWritten: isWritten && exports.files.every(({ ok }) => ok),
  };
}

async function writeAggregates(
  folder: string,
  { plan, format }: JournaledPlan,
  outcomes: readonly RunOutcome[],
  skipped: number,
): Promise<RepeatExports> {
  const { repetition, runs, search } = plan;
  const measured = search && (await measureOutcomes(search, folder, outcomes));
  const wasStopped = outcomes.length + skipped < runs.length || outcomes.some(wasInterrupted);
  const settings = {
    version: format.version,
    model: format.model,
    compatibility: format.compatibility,
    confidenceLevel: repetition.confidenceLevel,
    cooldownSeconds: repetition.cooldownSeconds,
    wasCancelled: wasStopped,
    folder,
  };
  return writeRepeated(plan, outcomes, settings, measured);
}

/** Checks the runs of a search against its limits again. */
async function measureOutcomes(
  plan: SearchPlan,
  folder: string,
  outcomes: readonly RunOutcome[],
): Promise<readonly MeasuredRun[]> {
  const search = new Search(plan, folder);
  for (const outcome of outcomes) await search.add(outcome);
  return search.runs;
}

function wasInterrupted(outcome: RunOutcome): boolean {
  return !isSuccess(outcome) && (outcome.error === KILLED || outcome.error === 'interrupted');
}
