import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Name of the folder with the exports of a sweep, in the folder of all runs. */
export const SWEEP_FOLDER = 'sweep_aggregate';

/** Names of folders: of repeated runs, of a single run and of a variation of a sweep. */
const RUNS_FOLDER = 'profile_runs';
const RUN_FOLDER = /^run_\d+$/;
const VARIATION_FOLDER = /^variation_\d+_/;

/** Finds the folders of all runs of a repeated benchmark or sweep, in order. Returns none for the folder of a single run. */
export async function findRunFolders(folder: string): Promise<string[]> {
  const repeated = await listMatching(join(folder, RUNS_FOLDER), RUN_FOLDER);
  if (repeated.length > 0) return repeated;
  const found: string[] = [];
  for (const variation of await listMatching(folder, VARIATION_FOLDER)) {
    const runs = await listMatching(join(variation, RUNS_FOLDER), RUN_FOLDER);
    found.push(...(runs.length > 0 ? runs : [variation]));
  }
  return found;
}

async function listMatching(folder: string, pattern: RegExp): Promise<string[]> {
  const names = await readdir(folder).catch((): string[] => []);
  return names
    .filter(name => pattern.test(name))
    .sort()
    .map(name => join(folder, name));
}
