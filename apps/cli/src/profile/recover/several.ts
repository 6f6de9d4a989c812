import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { RunInputError } from '@org/record';
import { JOURNAL_EXTENSION } from '@org/record/journal';
import type { Log } from '@org/run/lifecycle';
import { outcomesIn } from '@org/run/recover';
import {
  isSuccess,
  type KeptPlan,
  PLAN_JOURNAL,
  readPlan,
  runFoldersIn,
  writeRepeated,
} from '@org/run/repeat';
import { describeSystemError, JournalError } from '@org/scrape';
import { UsageError } from '@org/terminal';
import type { Io } from '../../io.ts';
import { showRepeated, warnOfMissing } from '../repeat/show.ts';

/** Several runs below a folder, of which at least one can be recovered, or which can be put together. */
export interface SeveralRuns {
  readonly folder: string;
  /** What there was to be, or why that is not known. */
  readonly plan: KeptPlan | string;
  /** Folders of runs with a journal, in their order. */
  readonly killed: readonly string[];
}

/**
 * The runs below a folder, which may be named by their plan; undefined when it is the folder of one run. Throws `UsageError`
 * when there is nothing to recover.
 */
export async function severalIn(folderOrPlan: string): Promise<SeveralRuns | undefined> {
  const isPlan = basename(folderOrPlan) === PLAN_JOURNAL;
  const folder = isPlan ? dirname(folderOrPlan) : folderOrPlan;
  const names = await readdir(folder).catch((): string[] => []);
  const hasPlan = isPlan || names.includes(PLAN_JOURNAL);
  if (!isPlan && names.some(name => name.endsWith(JOURNAL_EXTENSION) && name !== PLAN_JOURNAL))
    return undefined;
  const runs = await runFoldersIn(folder);
  if (!hasPlan && runs.length === 0) return undefined;
  const plan = hasPlan ? planIn(folder) : noPlanIn(folder);
  const killed: string[] = [];
  for (const run of runs) if (await isToRecover(run)) killed.push(run);
  if (killed.length > 0 || typeof plan !== 'string') return { folder, plan, killed };
  throw new UsageError(
    hasPlan
      ? `no run below ${JSON.stringify(folder)} has a journal, and of all runs ${plan}`
      : `${JSON.stringify(folder)} has ${runs.length} run(s) and no journal; runs that ended in order have removed their own`,
  );
}

/** One that cannot be looked into says so when it is recovered. */
async function isToRecover(run: string): Promise<boolean> {
  const names = await readdir(run).catch(() => undefined);
  return names?.some(name => name.endsWith(JOURNAL_EXTENSION)) ?? true;
}

function planIn(folder: string): KeptPlan | string {
  try {
    return readPlan(folder) ?? `${PLAN_JOURNAL} says nothing`;
  } catch (error) {
    if (error instanceof JournalError) return `${PLAN_JOURNAL} says nothing: ${error.message}`;
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return `${PLAN_JOURNAL} cannot be read: ${describeSystemError(error)}`;
  }
}

function noPlanIn(folder: string): string {
  const isAbove = existsSync(join(folder, '..', PLAN_JOURNAL));
  return `${PLAN_JOURNAL} is ${isAbove ? 'in the folder above' : 'not in this folder'}`;
}

/** Recovers each of the runs with `recoverOne`, and puts together what is complete. Returns whether all is written. */
export async function recoverSeveral(
  { folder, plan, killed }: SeveralRuns,
  recoverOne: (run: string) => Promise<boolean>,
  io: Io,
  log: Log,
): Promise<boolean> {
  if (typeof plan !== 'string' && plan.goesOn)
    log.warning(`the runs in ${folder} go on: these are their exports as far as they have come`);
  let isWritten = true;
  for (const run of killed) {
    log.info(`recovering ${relative(io.cwd, run) || '.'}`);
    if (!(await told(() => recoverOne(run), log))) isWritten = false;
  }
  if (typeof plan === 'string') {
    log.warning(`no aggregates: ${plan}`);
    return isWritten;
  }
  const outcomes = await outcomesIn(folder, plan);
  const { repetition, runs } = plan.plan;
  const complete = outcomes.filter(isSuccess).length;
  const exports = await writeRepeated(plan.plan, outcomes, {
    version: plan.about.version,
    csvLayout: plan.about.csvLayout,
    confidenceLevel: repetition.confidenceLevel,
    cooldownSeconds: repetition.cooldownSeconds,
    wasCancelled: outcomes.length < runs.length || outcomes.some(isKilled),
    folder,
  });
  showRepeated(exports, { folder, io, log });
  const isWhole = complete === runs.length;
  log[isWhole ? 'info' : 'warning'](`${complete} of ${runs.length} runs are complete`);
  warnOfMissing(plan.plan, exports.aggregates, log);
  return isWritten && exports.files.every(({ ok }) => ok);
}

/** One run that cannot be recovered does not keep the others from it. */
async function told(recover: () => Promise<boolean>, log: Log): Promise<boolean> {
  try {
    return await recover();
  } catch (error) {
    if (!(error instanceof RunInputError)) throw error;
    log.error(error.message);
    return false;
  }
}

function isKilled(outcome: Awaited<ReturnType<typeof outcomesIn>>[number]): boolean {
  return !isSuccess(outcome) && /^(?:killed|interrupted)$/.test(outcome.error);
}
