import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Name of the folder with the exports of a sweep, in the folder of all runs. */
export const SWEEP_FOLDER = 'sweep_aggregate';

/** Name of the folder with the aggregates of a benchmark, or of a variation of a sweep. */
export const AGGREGATE_FOLDER = 'aggregate';

/** Name of the folder that contains the repeated runs of a benchmark, or of a variation of a sweep. */
const RUNS_FOLDER = 'profile_runs';
const RUN_FOLDER = /^run_\d+$/;
const VARIATION_FOLDER = /^variation_\d+_/;

/** The variation that a folder is named after. */
interface NamedVariation {
  readonly index: number;
  readonly label: string;
}

/**
 * Returns the folder of a variation, relative to the folder of all runs; `.` without a variation, as outside of sweeps.
 */
export function formatVariationFolder(variation: NamedVariation | undefined): string {
  return variation ? `${formatNumber('variation', variation.index)}_${variation.label}` : '.';
}

/**
 * Returns the folder of a run, relative to the folder of all runs. `trial` starts at 0, and is undefined for
 * a run that is not repeated.
 */
export function formatRunFolder(variation: NamedVariation | undefined, trial: number | undefined): string {
  const folder = formatVariationFolder(variation);
  return trial === undefined ? folder : join(folder, RUNS_FOLDER, formatRunLabel(trial));
}

/** Formats the label of a run, such as `run_0001`. `trial` starts at 0. */
export function formatRunLabel(trial: number): string {
  return formatNumber('run', trial + 1);
}

function formatNumber(word: string, number: number): string {
  return `${word}_${String(number).padStart(4, '0')}`;
}

/** Reports whether a folder of this name contains runs, aggregates, or the exports of a sweep. */
export function isRunsFolder(name: string): boolean {
  return [RUNS_FOLDER, AGGREGATE_FOLDER, SWEEP_FOLDER].includes(name) || VARIATION_FOLDER.test(name);
}

/**
 * Finds the folders of all runs of a repeated benchmark or sweep, in order. Returns an empty list for the
 * folder of a single run.
 */
export async function findRunFolders(folder: string): Promise<string[]> {
  const repeatedRuns = await listRepeatedRuns(folder);
  if (repeatedRuns.length > 0) return repeatedRuns;
  const sweepRuns: string[] = [];
  for (const variation of await listVariations(folder)) {
    const runs = await listRepeatedRuns(variation);
    sweepRuns.push(...(runs.length > 0 ? runs : [variation]));
  }
  return sweepRuns;
}

/**
 * Lists the folders of the repeated runs of a benchmark or variation, in order. Returns an empty list if the
 * run is not repeated.
 */
export function listRepeatedRuns(folder: string): Promise<string[]> {
  return listMatching(join(folder, RUNS_FOLDER), RUN_FOLDER);
}

/** Lists the folders of the variations of a sweep, in order. Returns an empty list outside of sweeps. */
export function listVariations(folder: string): Promise<string[]> {
  return listMatching(folder, VARIATION_FOLDER);
}

async function listMatching(folder: string, pattern: RegExp): Promise<string[]> {
  const names = await readdir(folder).catch((): string[] => []);
  return names
    .filter(name => pattern.test(name))
    .sort()
    .map(name => join(folder, name));
}
