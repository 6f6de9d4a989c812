import { dirname, join } from 'node:path';
import type { ProfileAggregate, ProfileSweep } from '@org/formats';
import {
  type WriteResult,
  writeFileAtomic,
  writeProfileAggregateCsv,
  writeProfileAggregateJson,
  writeProfileCollatedJson,
  writeProfileSweepCsv,
  writeProfileSweepJson,
} from '@org/formats/write';
import { RunInputError } from '@org/record';
import { makeFolder } from '../lifecycle/artifactFolder.ts';
import { type AggregateSettings, aggregateDocument } from './aggregate.ts';
import { collatedDocument, RequestsError } from './collate.ts';
import type { RunOutcome } from './outcome.ts';
import { type RunPlan, variationFolder } from './plan.ts';
import { sweepDocument } from './sweep.ts';

/** Where a sweep says what it gave, below the folder of all runs. */
export const SWEEP_FOLDER = 'sweep_aggregate';

/** What there is beside the runs themselves. */
export interface RepeatExports {
  /** By index of its variation; a variation with fewer than two successful runs has none. */
  readonly aggregates: ReadonlyMap<number, ProfileAggregate>;
  readonly sweep?: ProfileSweep;
  readonly files: readonly WriteResult[];
}

export interface RepeatWriting extends AggregateSettings {
  /** Folder of all runs. */
  readonly folder: string;
  readonly csvLayout: 'servelens' | 'aiperf';
}

/** Writes what the runs say together: of each variation that was repeated, and of the sweep. */
export async function writeRepeated(
  plan: RunPlan,
  outcomes: readonly RunOutcome[],
  settings: RepeatWriting,
): Promise<RepeatExports> {
  const files: WriteResult[] = [];
  const aggregates = new Map<number, ProfileAggregate>();
  for (const variation of plan.variations) {
    const own = outcomes.filter(({ run }) => run.variation.index === variation.index);
    const aggregate = aggregateDocument(own, settings);
    if (!aggregate) continue;
    aggregates.set(variation.index, aggregate);
    const folder = join(settings.folder, variationFolder(variation, plan.isSweep), 'aggregate');
    files.push(...(await writeAggregate(folder, aggregate, own, settings)));
  }
  if (!plan.isSweep || outcomes.length === 0) return { aggregates, files };
  const sweep = sweepDocument(plan, outcomes, settings);
  files.push(...(await writeSweep(join(settings.folder, SWEEP_FOLDER), sweep, settings)));
  return { aggregates, sweep, files };
}

async function writeAggregate(
  folder: string,
  aggregate: ProfileAggregate,
  outcomes: readonly RunOutcome[],
  { version, csvLayout: layout }: RepeatWriting,
): Promise<WriteResult[]> {
  const stem = join(folder, 'profile_export_aiperf');
  return [
    await write(`${stem}_aggregate.json`, () => writeProfileAggregateJson(aggregate)),
    await write(`${stem}_aggregate.csv`, () => writeProfileAggregateCsv(aggregate, { layout })),
    await write(`${stem}_collated.json`, async () =>
      writeProfileCollatedJson((await collatedDocument(outcomes, version))!),
    ),
  ];
}

async function writeSweep(
  folder: string,
  sweep: ProfileSweep,
  { csvLayout: layout }: RepeatWriting,
): Promise<WriteResult[]> {
  const stem = join(folder, 'profile_export_aiperf_sweep');
  return [
    await write(`${stem}.json`, () => writeProfileSweepJson(sweep)),
    await write(`${stem}.csv`, () => writeProfileSweepCsv(sweep, { layout })),
  ];
}

/** What cannot be made does not keep the others from being written, and is told as what cannot be written. */
async function write(path: string, content: () => string | Promise<string>): Promise<WriteResult> {
  try {
    await makeFolder(dirname(path));
    return await writeFileAtomic(path, await content());
  } catch (error) {
    if (!(error instanceof RunInputError) && !(error instanceof RequestsError)) throw error;
    const message = `cannot write ${path}: ${error.message}`;
    return { ok: false, path, reason: 'failed', message, cause: error };
  }
}
