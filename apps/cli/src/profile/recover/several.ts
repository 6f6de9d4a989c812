import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { JournalError } from '@org/scrape';
import type { Io } from '../../io.ts';
import { JOURNAL_ENDING } from '../../journal.ts';
import type { Log } from '../../log.ts';
import { UsageError } from '../../usage.ts';
import { isSuccess } from '../repeat/outcome.ts';
import { type KeptPlan, PLAN_JOURNAL, readPlan } from '../repeat/planjournal.ts';
import { showRepeated, warnOfMissing } from '../repeat/show.ts';
import { writeRepeated } from '../repeat/write.ts';
import { runFoldersIn } from '../runfolders.ts';
import { outcomesIn } from './outcomes.ts';

/** Several runs below a folder, of which at least one can be recovered, or which can be put together. */
export interface SeveralRuns {
  readonly folder: string;
  readonly plan: KeptPlan | undefined;
  /** Folders of runs with a journal, in their order. */
  readonly killed: readonly string[];
}

/** The runs below a folder; undefined when it is the folder of one run. Throws `UsageError` when there is nothing to recover. */
export async function severalIn(folder: string): Promise<SeveralRuns | undefined> {
  const names = await readdir(folder).catch((): string[] => []);
  const isRun = names.some(name => name.endsWith(JOURNAL_ENDING) && name !== PLAN_JOURNAL);
  if (isRun) return undefined;
  const plan = names.includes(PLAN_JOURNAL) ? planIn(folder) : undefined;
  const runs = await runFoldersIn(folder);
  if (!plan && runs.length === 0) return undefined;
  const killed: string[] = [];
  for (const run of runs)
    if ((await readdir(run)).some(name => name.endsWith(JOURNAL_ENDING))) killed.push(run);
  if (killed.length > 0 || plan) return { folder, plan, killed };
  throw new UsageError(
    `${JSON.stringify(folder)} has ${runs.length} run(s) and no journal; runs that ended in order have removed their own`,
  );
}

function planIn(folder: string): KeptPlan | undefined {
  try {
    return readPlan(folder);
  } catch (error) {
    if (error instanceof JournalError) return undefined;
    throw error;
  }
}

/** Recovers each of the runs with `recoverOne`, and puts together what is complete. Returns whether all is written. */
export async function recoverSeveral(
  { folder, plan, killed }: SeveralRuns,
  recoverOne: (run: string) => Promise<boolean>,
  io: Io,
  log: Log,
): Promise<boolean> {
  let isWritten = true;
  for (const run of killed) {
    log.info(`recovering ${relative(io.cwd, run) || '.'}`);
    if (!(await told(() => recoverOne(run), log))) isWritten = false;
  }
  if (!plan) {
    const isAbove = existsSync(join(folder, '..', PLAN_JOURNAL));
    const where = isAbove ? 'it is in the folder above' : 'it is not in this folder, or says nothing';
    log.warning(`no aggregates: they need ${PLAN_JOURNAL}, and ${where}`);
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
    if (!(error instanceof UsageError)) throw error;
    log.error(error.message);
    return false;
  }
}

function isKilled(outcome: Awaited<ReturnType<typeof outcomesIn>>[number]): boolean {
  return !isSuccess(outcome) && /^(?:killed|interrupted)$/.test(outcome.error);
}
