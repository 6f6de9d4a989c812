import { dirname, join } from 'node:path';
import type { ProfileAggregate, ProfileSweep, SearchHistory } from '@org/formats';
import {
  type WriteResult,
  writeFileAtomic,
  writeProfileAggregateCsv,
  writeProfileAggregateJson,
  writeProfileCollatedJson,
  writeProfileSweepCsv,
  writeProfileSweepJson,
  writeSearchHistoryJson,
} from '@org/formats/write';
import { formatAggregateFolder, formatSweepFolder, formatVariationFolder, RunInputError } from '@org/record';
import { getFileLayout } from '../export/fileLayout.ts';
import { makeFolder } from '../lifecycle/artifactFolder.ts';
import type { MeasuredRun } from '../search/probes.ts';
import { deriveRecipeFile, RECIPE_FILES } from '../search/recipeResult.ts';
import { createSearchHistory } from '../search/searchHistory.ts';
import { type AggregateSettings, createAggregate } from './aggregate.ts';
import { canCollate, createCollated, RequestsError } from './collatedRequests.ts';
import { assessConvergence } from './convergence.ts';
import type { RepeatPlan } from './repeatPlan.ts';
import type { RunOutcome } from './runOutcome.ts';
import { createSweep } from './sweep.ts';

/** The exports that combine several runs: aggregates of variations, and the sweep. */
export interface RepeatExports {
  /** Aggregates by index of the variation. A variation without a successful run has no aggregate. */
  readonly aggregates: ReadonlyMap<number, ProfileAggregate>;
  readonly sweep?: ProfileSweep;
  readonly search?: SearchHistory;
  readonly files: readonly WriteResult[];
}

const AGGREGATE_STEM = 'profile_export_aiperf_aggregate';
const COLLATED_NAME = 'profile_export_aiperf_collated.json';
const SEARCH_NAME = 'search_history.json';
const SWEEP_STEM = 'profile_export_aiperf_sweep';

/** Names of the files of aggregates and sweeps. */
export const AGGREGATE_NAMES: readonly string[] = [
  `${AGGREGATE_STEM}.json`,
  `${AGGREGATE_STEM}.csv`,
  COLLATED_NAME,
  `${SWEEP_STEM}.json`,
  `${SWEEP_STEM}.csv`,
  SEARCH_NAME,
  ...RECIPE_FILES,
];

export interface WriteRepeatedOptions extends AggregateSettings {
  /** Folder of all runs. */
  readonly folder: string;
}

/** Writes the aggregate of each variation, the export of the sweep, and the probes of a search. */
export async function writeRepeated(
  plan: RepeatPlan,
  outcomes: readonly RunOutcome[],
  settings: WriteRepeatedOptions,
  measured?: readonly MeasuredRun[],
): Promise<RepeatExports> {
  const { mode: order, runs } = plan.repetition;
  const files: WriteResult[] = [];
  const aggregates = new Map<number, ProfileAggregate>();
  for (const variation of plan.variations) {
    const variationOutcomes = outcomes.filter(({ run }) => run.variation.index === variation.index);
    const { convergence: rule, confidenceLevel } = plan.repetition;
    const convergence = rule && (await assessConvergence(rule, variationOutcomes, confidenceLevel));
    const aggregate = createAggregate(plan, variation, variationOutcomes, { ...settings, convergence });
    if (!aggregate) continue;
    aggregates.set(variation.index, aggregate);
    const name = plan.isSweep ? formatVariationFolder(variation.values) : undefined;
    const folder = join(settings.folder, formatAggregateFolder({ variation: name, order }));
    files.push(...(await writeAggregate(folder, aggregate, variationOutcomes, settings)));
  }
  if (!plan.isSweep || outcomes.length === 0) return { aggregates, files };
  const sweep = createSweep(plan, outcomes, settings);
  const sweepFolder = join(settings.folder, formatSweepFolder(runs > 1, order));
  files.push(...(await writeSweep(sweepFolder, sweep, settings)));
  if (plan.recipe) {
    const { name, content } = deriveRecipeFile(plan.recipe, sweep);
    files.push(
      await writeExport(join(sweepFolder, name), () => `${JSON.stringify(content, undefined, 2)}\n`),
    );
  }
  if (!plan.search || !measured) return { aggregates, sweep, files };
  const search = createSearchHistory(plan, measured, settings);
  files.push(await writeSearchHistory(settings.folder, search));
  return { aggregates, sweep, search, files };
}

/** Writes search_history.json. */
export function writeSearchHistory(folder: string, search: SearchHistory): Promise<WriteResult> {
  return writeExport(join(folder, SEARCH_NAME), () => writeSearchHistoryJson(search));
}

/** Writes the aggregate of a variation. AIPerf does not collate the requests of a fixed number of runs. */
async function writeAggregate(
  folder: string,
  aggregate: ProfileAggregate,
  outcomes: readonly RunOutcome[],
  { version, compatibility }: WriteRepeatedOptions,
): Promise<WriteResult[]> {
  const stem = join(folder, AGGREGATE_STEM);
  const layout = getFileLayout(compatibility);
  const files = [
    await writeExport(`${stem}.json`, () => writeProfileAggregateJson(aggregate, { layout })),
    await writeExport(`${stem}.csv`, () => writeProfileAggregateCsv(aggregate, { layout })),
  ];
  if (compatibility === 'aiperf-0.13' || !canCollate(outcomes)) return files;
  const collated = await writeExport(join(folder, COLLATED_NAME), async () =>
    writeProfileCollatedJson((await createCollated(outcomes, version))!),
  );
  return [...files, collated];
}

async function writeSweep(
  folder: string,
  sweep: ProfileSweep,
  { compatibility }: WriteRepeatedOptions,
): Promise<WriteResult[]> {
  const stem = join(folder, SWEEP_STEM);
  const layout = getFileLayout(compatibility);
  return [
    await writeExport(`${stem}.json`, () => writeProfileSweepJson(sweep, { layout })),
    await writeExport(`${stem}.csv`, () => writeProfileSweepCsv(sweep, { layout })),
  ];
}

/** Writes a file. A failure, including a failure to create the content, is part of the result. */
async function writeExport(path: string, content: () => string | Promise<string>): Promise<WriteResult> {
  try {
    await makeFolder(dirname(path));
    return await writeFileAtomic(path, await content());
  } catch (error) {
    if (!(error instanceof RunInputError) && !(error instanceof RequestsError)) throw error;
    const message = `cannot write ${path}: ${error.message}`;
    return { ok: false, path, reason: 'failed', message, cause: error };
  }
}
