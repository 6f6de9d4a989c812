import type { ProfileExport, ServerMetricsDocument } from '@org/formats';
import { RunInputError } from '@org/record';
import { noSuccess } from '../profile/noSuccess.ts';
import { runFigures } from './figures.ts';
import { isSuccess, type RunOutcome } from './outcome.ts';
import type { PlannedRun, RunPlan } from './plan.ts';

/** What one run gave. */
export interface RunReport {
  readonly document: ProfileExport;
  readonly servers?: ServerMetricsDocument;
  /** Path of its requests, one a line. */
  readonly requests: string;
  readonly succeeded: number;
  readonly failed: number;
  readonly wasCancelled: boolean;
}

/** What repeating needs besides the plan. */
export interface RepeatContext {
  /** Makes one run, in its folder. */
  readonly runOne: (run: PlannedRun) => Promise<RunReport>;
  /** Waits before another run; ends early when `interrupted` is aborted. */
  readonly coolDown: (seconds: number, next: PlannedRun) => Promise<void>;
  /** Aborted when somebody wants it to end: no other run is begun. */
  readonly interrupted: AbortSignal;
  readonly onRun?: (run: PlannedRun, at: number) => void;
  readonly onOutcome?: (outcome: RunOutcome, report: RunReport | undefined) => void;
}

/** What repeating gave: the runs that were begun, in their order. */
export interface RepeatResult {
  readonly outcomes: readonly RunOutcome[];
  /** Whether runs were left out, or one was cut, because somebody wanted it to end. */
  readonly wasCancelled: boolean;
}

/**
 * Makes all runs of a plan, one after the other. A run that fails is none that counts, and the others go on.
 *
 * @throws RunInputError of the first run: what is wrong with its options is wrong with all.
 */
export async function repeatRuns(plan: RunPlan, context: RepeatContext): Promise<RepeatResult> {
  const { interrupted } = context;
  const outcomes: RunOutcome[] = [];
  for (const [at, run] of plan.runs.entries()) {
    if (at > 0 && plan.repetition.cooldownSeconds > 0 && !interrupted.aborted)
      await context.coolDown(plan.repetition.cooldownSeconds, run);
    if (interrupted.aborted) return { outcomes, wasCancelled: true };
    context.onRun?.(run, at);
    outcomes.push(await outcomeOf(run, at, context));
  }
  return { outcomes, wasCancelled: interrupted.aborted && !outcomes.every(isSuccess) };
}

async function outcomeOf(run: PlannedRun, at: number, context: RepeatContext): Promise<RunOutcome> {
  let report: RunReport | undefined;
  let outcome: RunOutcome;
  try {
    report = await context.runOne(run);
    const error = failureOf(report);
    outcome =
      error === undefined
        ? { run, figures: runFigures(report.document, report.servers), requests: report.requests }
        : { run, error };
  } catch (error) {
    if (at === 0 && error instanceof RunInputError) throw error;
    outcome = { run, error: (error as Error).message };
  }
  context.onOutcome?.(outcome, report);
  return outcome;
}

/** Why the figures of a run do not count; undefined when they do. */
export function failureOf({
  wasCancelled,
  succeeded,
  failed,
  document,
}: Pick<RunReport, 'wasCancelled' | 'succeeded' | 'failed' | 'document'>): string | undefined {
  if (wasCancelled) {
    const loss = document.load_generator?.warnings?.find(({ kind }) => kind === 'worker_lost');
    return loss?.message ?? 'interrupted';
  }
  if (succeeded > 0) return undefined;
  const details = document.error_summary?.[0]?.error_details;
  const most = details ? `: ${details.type ?? 'error'}: ${details.message ?? ''}` : '';
  return noSuccess(failed) + most;
}
