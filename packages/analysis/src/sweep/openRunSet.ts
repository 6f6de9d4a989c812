import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { SweepVariation } from '@org/formats';
import { readProfileAggregate, readProfileSweep } from '@org/formats/read';
import { stringifyJson } from '@org/formats/write';
import { SWEEP_FOLDER } from '@org/record';
import { isFolder, openInput } from '../run/input.ts';
import type { OpenOptions } from '../run/openRun.ts';
import { normalizeSweep } from './normalizeSweep.ts';
import { readSearch } from './readSearch.ts';
import { AGGREGATE_FILE, addRunCounts } from './runCounts.ts';
import type { RunSet } from './runSet.ts';
import { combineCompleteRuns } from './unfinishedRuns.ts';

const SWEEP_FILE = 'profile_export_aiperf_sweep.json';

/**
 * Folders that may contain the results of a sweep, relative to the sweep's folder. AIPerf uses `aggregate` for
 * sweeps with repeated runs.
 */
const SWEEP_FOLDERS = [SWEEP_FOLDER, join('aggregate', SWEEP_FOLDER), '.'];
const AGGREGATE_FOLDERS = ['aggregate', '.'];

/**
 * Opens the results of a sweep or of repeated runs, by folder or file. Without aggregates, combines the complete runs.
 * Returns undefined for any other path, such as a single run.
 *
 * @throws RunError if the path does not exist, or no run is complete; FormatError if a
 * file is invalid
 */
export async function openRunSet(name: string, open: OpenOptions = {}): Promise<RunSet | undefined> {
  if (!(await isFolder(name))) return await openFile(name, name);
  const file =
    (await findFirst(name, SWEEP_FOLDERS, SWEEP_FILE)) ??
    (await findFirst(name, AGGREGATE_FOLDERS, AGGREGATE_FILE));
  const runSet = file === undefined ? await combineCompleteRuns(name, open) : await openFile(name, file);
  if (runSet?.kind !== 'sweep') return runSet;
  const search = await readSearch(name);
  return { ...runSet, ...(search && { search }) };
}

async function openFile(name: string, file: string): Promise<RunSet | undefined> {
  if (/_sweep\.json$/.test(basename(file))) {
    const sweep = normalizeSweep(await readProfileSweep(await openInput(file)));
    return { name, kind: 'sweep', sweep: await addRunCounts(sweep, file) };
  }
  if (/_aggregate\.json$/.test(basename(file)))
    return { name, kind: 'repeated', aggregate: await readProfileAggregate(await openInput(file)) };
  return undefined;
}

async function findFirst(
  folder: string,
  subfolders: readonly string[],
  file: string,
): Promise<string | undefined> {
  for (const subfolder of subfolders) {
    const names: readonly string[] = await readdir(join(folder, subfolder)).catch(() => []);
    if (names.includes(file)) return join(folder, subfolder, file);
  }
  return undefined;
}

/** Formats the name of a variation: its label, or its parameters if the file has no label, as in AIPerf. */
export function formatVariationName({ variation_label: label, parameters }: SweepVariation): string {
  if (label !== undefined) return label;
  return Object.entries(parameters)
    .map(([name, value]) => `${name}_${formatParameter(value)}`)
    .join('__');
}

/** Formats the value of a parameter, which may have any type. */
export function formatParameter(value: unknown): string {
  return typeof value === 'object' ? stringifyJson(value) : String(value);
}
