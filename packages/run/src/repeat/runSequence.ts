import type { ProfileExport, ServerMetricsDocument } from '@org/formats';
import { RunInputError } from '@org/record';
import { extractRunStatistics } from '@org/record/aggregate';
import { describeNoSuccess, findAbortReason, readCounts } from '../profile/failedRun.ts';
import { describeSaturation } from '../saturation/saturatedRuns.ts';
import type { PlannedRun, RepeatPlan } from './repeatPlan.ts';
import { isSuccess, type RunOutcome } from './runOutcome.ts';

/** The result of one run of a sequence. */
export interface RunReport {
  readonly document: ProfileExport;
  readonly servers?: ServerMetricsDocument;
  /** Path of the requests file; absent if the run exports no requests. */
  readonly requests?: string;
  /** Why the run was ended early: a limit of a search had certainly failed. */
  readonly endedEarly?: string;
}

/** Callbacks that execute a sequence of runs. */
export interface SequenceOptions {
  /** Executes one run and returns its result. */
  readonly execute: (run: PlannedRun, index: number) => Promise<RunReport>;
  /** Waits before the next run. Returns early if `interruptSignal` is aborted. */
  readonly coolDown: (seconds: number, next: PlannedRun) => Promise<void>;
  /** Ends the sequence early if aborted: no further run starts. */
  readonly interruptSignal: AbortSignal;
  /** Returns true if a variation needs no further runs. Called after each of its runs. */
  readonly hasConverged?: (run: PlannedRun, outcomes: readonly RunOutcome[]) => Promise<boolean>;
  readonly onOutcome?: (outcome: RunOutcome, report: RunReport | undefined) => Promise<void> | void;
  /** Plans further runs when all planned runs have ended. The sequence ends if it plans no more. */
  readonly planNext?: () => readonly PlannedRun[];
}

/** The result of a sequence of runs. */
export interface SequenceResult {
  /** Outcomes of the runs that were started, in order. */
  readonly outcomes: readonly RunOutcome[];
  /** True if an interruption ended a run early or skipped runs. */
  readonly wasCancelled: boolean;
}

/**
 * Executes the runs of a plan one after another. A failed run does not end the sequence.
 *
 * Throws `RunInputError` if the first run throws this error, because the options are then invalid for all
 * runs.
 */
export async function executeRuns(plan: RepeatPlan, options: SequenceOptions): Promise<SequenceResult> {
  const { interruptSignal } = options;
  const outcomes: RunOutcome[] = [];
  const converged = new Set<number>();
  const runs = [...plan.runs];
  for (let index = 0; ; index++) {
    if (index === runs.length && !interruptSignal.aborted) runs.push(...(options.planNext?.() ?? []));
    const run = runs[index];
    if (run === undefined) break;
    const { index: variation } = run.variation;
    if (converged.has(variation)) continue;
    const seconds = findCooldown(plan.repetition, outcomes.at(-1)?.run, run);
    if (seconds > 0 && !interruptSignal.aborted) await options.coolDown(seconds, run);
    if (interruptSignal.aborted) return { outcomes, wasCancelled: true };
    outcomes.push(await executeRun(run, index, options));
    const variationOutcomes = outcomes.filter(outcome => outcome.run.variation.index === variation);
    if (await options.hasConverged?.(run, variationOutcomes)) converged.add(variation);
  }
  // An interruption keeps further runs from being planned.
  const isIncomplete = options.planNext !== undefined || !outcomes.every(isSuccess);
  return { outcomes, wasCancelled: interruptSignal.aborted && isIncomplete };
}

/**
 * Returns the pause before a run, in seconds. As in AIPerf, runs of the same trial that have different variations are
 * separated by the pause of the sweep if the whole sweep is repeated.
 */
function findCooldown(
  { cooldownSeconds, sweepCooldownSeconds = cooldownSeconds, mode }: RepeatPlan['repetition'],
  previous: PlannedRun | undefined,
  next: PlannedRun,
): number {
  if (!previous) return 0;
  const isNextVariation = previous.variation.index !== next.variation.index;
  const isNextTrial = previous.trial !== next.trial;
  const isSweeping = isNextVariation && (mode === 'independent' || !isNextTrial);
  return isSweeping ? sweepCooldownSeconds : cooldownSeconds;
}

async function executeRun(run: PlannedRun, index: number, options: SequenceOptions): Promise<RunOutcome> {
  let report: RunReport | undefined;
  let outcome: RunOutcome;
  try {
    report = await options.execute(run, index);
    outcome = createOutcome(run, report);
  } catch (error) {
    if (index === 0 && error instanceof RunInputError) throw error;
    outcome = { run, error: (error as Error).message };
  }
  await options.onOutcome?.(outcome, report);
  return outcome;
}

/** Creates the outcome of a run that has ended. */
export function createOutcome(
  run: PlannedRun,
  report: RunReport,
  error: string | undefined = report.endedEarly ?? findFailure(report.document),
): RunOutcome {
  const { document, servers, requests, endedEarly } = report;
  const counts = readCounts(document);
  if (error !== undefined)
    return { run, counts, error, ...(endedEarly === undefined ? {} : { endedEarly: true }) };
  const statistics = extractRunStatistics(document, servers);
  return { run, counts, statistics, ...(requests === undefined ? {} : { requests }) };
}

/** Returns the reason to exclude a run from aggregates; undefined if it is included. */
function findFailure(document: ProfileExport): string | undefined {
  if (document.was_cancelled) return findAbortReason(document) ?? 'interrupted';
  const saturation = describeSaturation(document);
  if (saturation !== undefined) return saturation;
  const counts = readCounts(document);
  if (counts.succeeded > 0) return undefined;
  const details = document.error_summary?.[0]?.error_details;
  const mostFrequent = details ? `: ${details.type ?? 'error'}: ${details.message ?? ''}` : '';
  return describeNoSuccess(counts) + mostFrequent;
}
