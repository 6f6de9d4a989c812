import { basename, dirname } from 'node:path';
import { FormatError, readProfileExport } from '@org/formats/read';
import { AGGREGATE_FOLDER, listSweptRuns, SWEEP_FOLDER, type SweptRun } from '@org/record';
import { extractRunStatistics } from '@org/record/aggregate';
import { isFolder, openInput, RunError } from '../run/input.ts';
import { findRunFiles } from '../run/runFiles.ts';

/** The results of one run of a sweep or of repeated runs. */
export interface Repeat extends SweptRun {
  /** By metric and statistic, such as `request_latency_p99`. */
  readonly values: Readonly<Record<string, number>>;
  /** The limits of `--goodput`, by client metric, in the unit of the export. */
  readonly limits: Readonly<Record<string, number>>;
}

/**
 * Reads the selected metrics of all complete runs, one run at a time. Returns an empty list if there are no runs, such as
 * next to a copied file of aggregates.
 */
export async function readRepeats(name: string, metrics: ReadonlySet<string>): Promise<Repeat[]> {
  const folder = await findRoot(name);
  const runs = await listSweptRuns(folder).catch((): SweptRun[] => []);
  const repeats: Repeat[] = [];
  for (const run of runs) {
    if (run.folder === folder) continue;
    const repeat = await readRepeat(run, metrics);
    if (repeat) repeats.push(repeat);
  }
  return repeats;
}

/** Finds the folder that contains the runs of a file with aggregates. */
async function findRoot(name: string): Promise<string> {
  let folder = (await isFolder(name)) ? name : dirname(name);
  if (basename(folder) === SWEEP_FOLDER) folder = dirname(folder);
  return basename(folder) === AGGREGATE_FOLDER ? dirname(folder) : folder;
}

/** Reads a run. Returns undefined if it is incomplete, so that the aggregates do not contain it either. */
async function readRepeat(run: SweptRun, metrics: ReadonlySet<string>): Promise<Repeat | undefined> {
  try {
    const { profile: file } = await findRunFiles(run.folder);
    if (file === undefined || !file.endsWith('.json')) return undefined;
    const profile = await readProfileExport(await openInput(file));
    if (profile.was_cancelled) return undefined;
    const values = [...extractRunStatistics(profile).client]
      .filter(([metric]) => metrics.has(metric))
      .map(([metric, { value }]) => [metric, value] as const);
    return { ...run, values: Object.fromEntries(values), limits: readLimits(profile.input_config) };
  } catch (error) {
    if (error instanceof RunError || error instanceof FormatError) return undefined;
    throw error;
  }
}

function readLimits(config: object | undefined): Record<string, number> {
  const { slos } = (config ?? {}) as { readonly slos?: unknown };
  if (typeof slos !== 'object' || slos === null) return {};
  return Object.fromEntries(
    Object.entries(slos).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );
}
