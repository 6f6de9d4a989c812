import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Compatibility, type ExportLevel, RunInputError } from '@org/record';
import type { ProcessIdentity } from '@org/record/journal';
import { type JournalMark, JournalWriter, replayJournal } from '@org/scrape';
import { getCurrentOwner, isAlive } from '../lifecycle/runOwner.ts';
import type { RecipeResult } from '../search/recipeResult.ts';
import type { SearchPlan } from '../search/searchPlan.ts';
import { addProbe, type PlannedRun, type RepeatPlan } from './repeatPlan.ts';
import type { RunOutcome } from './runOutcome.ts';

/**
 * Name of the plan journal, in the folder of all runs. The journal is removed after all exports are written,
 * unless the plan keeps it.
 */
export const PLAN_JOURNAL = 'profile_runs.journal';

const OUTCOME_MARK = 'outcome';
/** The kind of a mark with the values of a probe that a search has added to the plan. */
const PROBE_MARK = 'probe';
/** The kind of the mark after which the owner no longer executes the plan. */
const END_MARK = 'over';

/** Absent in journals of earlier versions. */
interface EndData {
  readonly isWritten?: boolean;
}

interface OutcomeData {
  readonly folder: string;
  readonly error?: string;
  readonly endedEarly?: boolean;
}

interface ProbeData {
  readonly values: readonly number[];
}

/** Version, model, compatibility and file names of the aggregates of a plan. */
export interface AggregateFormat {
  readonly version: string;
  /** Absent in journals of earlier versions. */
  readonly model?: string;
  /** Absent in journals of earlier versions. */
  readonly compatibility?: Compatibility;
  /** `records` if absent. */
  readonly exportLevel?: ExportLevel;
  readonly prefix?: string;
}

/** The first record of the journal. It does not contain the options of the runs, because these may include secrets. */
interface PlanRecord extends AggregateFormat {
  /** Absent in journals of earlier versions. */
  readonly owner?: ProcessIdentity;
  readonly isSweep: boolean;
  readonly sweepId?: string;
  readonly search?: SearchPlan;
  readonly recipe?: RecipeResult;
  readonly repetition: RepeatPlan['repetition'];
  readonly parameters: RepeatPlan['parameters'];
  readonly variations: RepeatPlan['variations'];
  readonly runs: readonly (Omit<PlannedRun, 'variation'> & { readonly variation: number })[];
}

/** A plan read from its journal. */
export interface JournaledPlan {
  readonly plan: RepeatPlan;
  readonly format: AggregateFormat;
  /** Error messages of failed runs, by folder of the run. */
  readonly failures: ReadonlyMap<string, string>;
  /** Folders of the runs that were ended because a limit of a search had certainly failed. */
  readonly earlyEnds: ReadonlySet<string>;
  /**
   * `active`: the owner of the plan is still executing it. `unwritten`: it has ended, but not all exports of the runs and
   * aggregates were written.
   */
  readonly state: 'active' | 'unwritten' | 'written';
}

/** Journals a plan and the outcomes of its runs, so that aggregates can be written after a crash. */
export class PlanJournal {
  readonly #writer: JournalWriter;
  readonly #onStateChange: (message: string) => void;

  /** Creates the journal. Throws `RunInputError` if a file of that name cannot be replaced. */
  constructor(
    folder: string,
    plan: RepeatPlan,
    format: AggregateFormat,
    onStateChange: (message: string) => void,
  ) {
    this.#onStateChange = onStateChange;
    const path = join(folder, PLAN_JOURNAL);
    removeStaleJournal(path);
    this.#writer = JournalWriter.open(path, toPlanRecord(plan, format), {
      onStateChange: ({ message }) => onStateChange(message),
    });
  }

  /** Records the values of a probe that was added to the plan of a search. */
  addProbe(values: readonly number[]): void {
    this.#writer.addMark({ kind: PROBE_MARK, atNs: nowNs(), data: { values } });
  }

  addOutcome(outcome: RunOutcome): void {
    const { folder } = outcome.run;
    const { error: message, endedEarly } = 'error' in outcome ? outcome : {};
    const error = {
      ...(message === undefined ? {} : { error: message }),
      ...(endedEarly ? { endedEarly } : {}),
    };
    this.#writer.addMark({ kind: OUTCOME_MARK, atNs: nowNs(), data: { folder, ...error } });
  }

  /** Removes the journal. */
  async remove(): Promise<void> {
    try {
      await this.#writer.remove();
    } catch (error) {
      this.#onStateChange(`cannot remove the journal: ${(error as Error).message}`);
    }
  }

  /** Marks the end of the plan and closes the journal. `isWritten` tells whether all exports were written. */
  async close(isWritten: boolean): Promise<void> {
    try {
      this.#writer.addMark({ kind: END_MARK, atNs: nowNs(), data: { isWritten } });
      await this.#writer.close();
    } catch (error) {
      this.#onStateChange(`cannot close the journal: ${(error as Error).message}`);
    }
  }
}

function nowNs(): bigint {
  return BigInt(Date.now()) * 1_000_000n;
}

/** Removes the journal of an earlier plan. Its runs are no longer in the folder, or none was started. */
function removeStaleJournal(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch (error) {
    throw new RunInputError(`cannot replace ${JSON.stringify(path)}: ${(error as Error).message}`);
  }
}

function toPlanRecord(plan: RepeatPlan, format: AggregateFormat): PlanRecord {
  const { isSweep, sweepId, search, recipe, repetition, runs } = plan;
  return {
    ...format,
    owner: getCurrentOwner(),
    isSweep,
    ...(sweepId === undefined ? {} : { sweepId }),
    ...(search && { search }),
    ...(recipe && { recipe }),
    repetition,
    // Field by field: the caller's objects may have further fields that contain secrets.
    parameters: plan.parameters.map(({ name, path, values }) => ({ name, path, values })),
    variations: plan.variations.map(({ index, label, parameters, values }) => ({
      index,
      label,
      parameters,
      values,
    })),
    runs: runs.map(run => ({ ...run, variation: run.variation.index })),
  };
}

/**
 * Reads the plan of the runs in a folder; undefined if the journal contains none. Throws `JournalError` if
 * the file is not a journal, and the system error of `node:fs` if it cannot be read.
 */
export function readPlan(folder: string): JournaledPlan | undefined {
  const { run, marks } = replayJournal(join(folder, PLAN_JOURNAL));
  const record = run as PlanRecord | undefined;
  if (!record?.runs) return undefined;
  const { version, model, compatibility = 'servelens', exportLevel, prefix, owner } = record;
  const { isSweep, sweepId, search, recipe, repetition, parameters, variations } = record;
  const runs = record.runs.map(run => ({ ...run, variation: variations[run.variation]! }));
  const outcomes = marks.flatMap(({ kind, data }) => (kind === OUTCOME_MARK ? [data as OutcomeData] : []));
  const plan = marks.reduce<RepeatPlan>(
    (extended, { kind, data }) =>
      kind === PROBE_MARK ? addProbe(extended, (data as ProbeData).values) : extended,
    {
      isSweep,
      sweepId,
      ...(search && { search }),
      ...(recipe && { recipe }),
      repetition,
      parameters,
      variations,
      runs,
    },
  );
  return {
    plan,
    format: {
      version,
      compatibility,
      ...(model === undefined ? {} : { model }),
      ...(exportLevel === undefined ? {} : { exportLevel }),
      ...(prefix === undefined ? {} : { prefix }),
    },
    failures: new Map(
      outcomes.flatMap(outcome => (outcome.error === undefined ? [] : [[outcome.folder, outcome.error]])),
    ),
    earlyEnds: new Set(outcomes.flatMap(({ folder, endedEarly }) => (endedEarly ? [folder] : []))),
    state: readState(marks, owner),
  };
}

function readState(
  marks: readonly JournalMark[],
  owner: ProcessIdentity | undefined,
): JournaledPlan['state'] {
  const end = marks.find(({ kind }) => kind === END_MARK);
  if (end) return (end.data as EndData | undefined)?.isWritten ? 'written' : 'unwritten';
  return owner !== undefined && isAlive(owner) ? 'active' : 'unwritten';
}
