import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { RunInputError } from '@org/record';
import { JournalWriter, replayJournal } from '@org/scrape';
import type { Log } from '../lifecycle/log.ts';
import type { RunOutcome } from './outcome.ts';
import { isAlive, type PlanOwner, thisProcess } from './owner.ts';
import type { PlannedRun, RunPlan } from './plan.ts';

/** In the folder of all runs, until they are put together. */
export const PLAN_JOURNAL = 'profile_runs.journal';

const OUTCOME = 'outcome';
/** Nothing more is done for the plan. */
const OVER = 'over';

/** How what the runs say together is to be written. */
export interface PlanAbout {
  readonly version: string;
  readonly csvLayout: 'servelens' | 'aiperf';
  readonly prefix?: string;
}

/** What is told of a plan: command lines have secrets, so that the options of its variations are not. */
interface PlanRecord extends PlanAbout {
  /** Absent in plans of earlier versions. */
  readonly owner?: PlanOwner;
  readonly isSweep: boolean;
  readonly sweepId?: string;
  readonly repetition: RunPlan['repetition'];
  readonly parameters: RunPlan['parameters'];
  readonly variations: readonly Omit<RunPlan['variations'][number], 'raw'>[];
  readonly runs: readonly (Omit<PlannedRun, 'variation'> & { readonly variation: number })[];
}

/** A plan read back. */
export interface KeptPlan {
  readonly plan: RunPlan;
  readonly about: PlanAbout;
  /** Why runs do not count, by folder, as far as they said so before they had exports. */
  readonly failures: ReadonlyMap<string, string>;
  /** Whether the process that began it is still at it, or waits between two runs. */
  readonly goesOn: boolean;
}

/** Which runs there are to be and what became of them: what a kill would lose, for the runs themselves do not know. */
export class PlanJournal {
  readonly #writer: JournalWriter;
  readonly #log: Log;

  /** Throws `RunInputError` where something else has its name. */
  constructor(folder: string, plan: RunPlan, about: PlanAbout, log: Log) {
    this.#log = log;
    const path = join(folder, PLAN_JOURNAL);
    removeOld(path);
    this.#writer = JournalWriter.open(path, recordOf(plan, about), {
      onStateChange: ({ message }) => log.warning(message),
    });
  }

  ended(outcome: RunOutcome): void {
    const { folder } = outcome.run;
    const error = 'error' in outcome ? { error: outcome.error } : {};
    this.#writer.mark({ kind: OUTCOME, atNs: nowNs(), data: { folder, ...error } });
  }

  /** The aggregates are written, or they are not. */
  async close(isWritten: boolean): Promise<void> {
    try {
      if (isWritten) await this.#writer.remove();
      else {
        this.#writer.mark({ kind: OVER, atNs: nowNs() });
        await this.#writer.close();
      }
    } catch (error) {
      this.#log.warning(`cannot remove the journal: ${(error as Error).message}`);
    }
  }
}

function nowNs(): bigint {
  return BigInt(Date.now()) * 1_000_000n;
}

/** The folder has no runs: what was planned in it before never came to one. */
function removeOld(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch (error) {
    throw new RunInputError(`cannot replace ${JSON.stringify(path)}: ${(error as Error).message}`);
  }
}

function recordOf(plan: RunPlan, about: PlanAbout): PlanRecord {
  const { isSweep, sweepId, repetition, parameters, variations, runs } = plan;
  return {
    ...about,
    owner: thisProcess(),
    isSweep,
    ...(sweepId === undefined ? {} : { sweepId }),
    repetition,
    parameters,
    variations: variations.map(({ raw: _, ...variation }) => variation),
    runs: runs.map(run => ({ ...run, variation: run.variation.index })),
  };
}

/** Reads the plan of the runs in a folder; undefined where none can be read. Throws what the file system says. */
export function readPlan(folder: string): KeptPlan | undefined {
  const { run, marks } = replayJournal(join(folder, PLAN_JOURNAL));
  const record = run as PlanRecord | undefined;
  if (!record?.runs) return undefined;
  const { version, csvLayout, prefix, owner, isSweep, sweepId, repetition, parameters } = record;
  const variations = record.variations.map(one => ({ ...one, raw: {} }));
  const runs = record.runs.map(one => ({ ...one, variation: variations[one.variation]! }));
  const outcomes = marks.flatMap(({ kind, data }) =>
    kind === OUTCOME ? [data as { readonly folder: string; readonly error?: string }] : [],
  );
  return {
    plan: { isSweep, sweepId, repetition, parameters, variations, runs },
    about: { version, csvLayout, ...(prefix === undefined ? {} : { prefix }) },
    failures: new Map(
      outcomes.flatMap(({ folder: own, error }) => (error === undefined ? [] : [[own, error]])),
    ),
    goesOn: owner !== undefined && isAlive(owner) && marks.every(({ kind }) => kind !== OVER),
  };
}
