import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AGGREGATE_FOLDER, RUNS_FOLDER, SWEEP_FOLDER } from './runFolders.ts';

/** A variation of a sweep, with the folders of its runs. */
export interface VariationRuns {
  /** Name of the variation's folder, such as `concurrency_4`. */
  readonly name: string;
  /** Folders of its runs, in order of the trials. */
  readonly runs: readonly string[];
}

const REPEATED_RUN = /^(?:run|trial)_\d+$/;
const TRIAL = /^trial_\d+$/;

/** A parameter and a number, such as `request_rate_2.5`. */
const PARAMETER = String.raw`(?!(?:run|trial)_)[A-Za-z]\w*?_-?\d+(?:\.\d+)?(?:e[+-]?\d+)?`;

/** Names of variations: of a grid, of a search in AIPerf, and of earlier versions. */
const VARIATION = new RegExp(`^(?:${PARAMETER}(?:__${PARAMETER})*|search_iter_\\d+|variation_\\d+_.+)$`);

/** Folders in the folder of a sweep or a run that never contain a run. */
const OTHER_FOLDERS: ReadonlySet<string> = new Set([
  AGGREGATE_FOLDER,
  RUNS_FOLDER,
  SWEEP_FOLDER,
  'logs',
  'phases',
  'plots',
]);

/** Files and folders of AIPerf that exist only in runs of a sweep, also if the run was killed. */
const SWEEP_RUN_FILES: readonly string[] = ['run_config.json', RUNS_FOLDER];

/**
 * Finds the folders of all runs of a repeated benchmark or sweep, in order. Returns an empty list for the folder of a
 * single run.
 */
export async function findRunFolders(folder: string): Promise<string[]> {
  const repeatedRuns = await listRepeatedRuns(folder);
  if (repeatedRuns.length > 0) return repeatedRuns;
  return (await listVariations(folder)).flatMap(({ runs }) => runs);
}

/**
 * Lists the folders of the repeated runs of a benchmark or variation, in order. A variation can also be specified by the
 * folder of its aggregate. Returns an empty list if the run is not repeated.
 */
export async function listRepeatedRuns(folder: string): Promise<string[]> {
  const trials = await listEntries(join(folder, RUNS_FOLDER), ({ name }) => REPEATED_RUN.test(name));
  if (trials.length === 0) return listRunsOfAggregate(folder);
  const isSweep = (await listVariationNames(trials[0]!)).length > 0;
  return isSweep ? [] : trials;
}

/** Lists the runs of `<sweep>/aggregate/<variation>`. Returns an empty list for any other folder. */
async function listRunsOfAggregate(folder: string): Promise<string[]> {
  const parent = dirname(folder);
  if (basename(parent) !== AGGREGATE_FOLDER) return [];
  const variations = await listVariations(dirname(parent));
  return [...(variations.find(({ name }) => name === basename(folder))?.runs ?? [])];
}

/** Lists the variations of a sweep, in order. Returns an empty list outside of sweeps. */
export async function listVariations(folder: string): Promise<VariationRuns[]> {
  const runs = new Map<string, string[]>();
  const add = (name: string, folders: readonly string[]): void => {
    runs.set(name, [...(runs.get(name) ?? []), ...folders]);
  };
  for (const trial of await listEntries(join(folder, RUNS_FOLDER), ({ name }) => TRIAL.test(name)))
    for (const name of await listVariationNames(trial)) add(name, [join(trial, name)]);
  for (const name of await listVariationNames(folder)) {
    const variation = join(folder, name);
    const repeatedRuns = await listRepeatedRuns(variation);
    add(name, repeatedRuns.length > 0 ? repeatedRuns : [variation]);
  }
  return [...runs].map(([name, folders]) => ({ name, runs: folders })).sort(compareNames);
}

/** Lists the names of the subfolders that are variations: by their name, or by files that only such folders contain. */
async function listVariationNames(folder: string): Promise<string[]> {
  const folders = await listEntries(
    folder,
    entry =>
      !entry.isFile() &&
      !entry.name.startsWith('.') &&
      !OTHER_FOLDERS.has(entry.name) &&
      !REPEATED_RUN.test(entry.name),
  );
  const names: string[] = [];
  for (const path of folders)
    if (VARIATION.test(basename(path)) || (await isSweepRun(path))) names.push(basename(path));
  return names;
}

async function isSweepRun(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch((): string[] => []);
  return SWEEP_RUN_FILES.some(name => names.includes(name));
}

/** Lists the paths of the entries that match, in order. */
async function listEntries(folder: string, matches: (entry: Dirent) => boolean): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter(matches)
    .sort(compareNames)
    .map(({ name }) => join(folder, name));
}

const { compare } = new Intl.Collator('en', { numeric: true });

/** Compares names so that `concurrency_2` is before `concurrency_10`. */
function compareNames(a: { readonly name: string }, b: { readonly name: string }): number {
  return compare(a.name, b.name);
}
