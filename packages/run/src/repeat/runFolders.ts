import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** What folders of runs are called below that of all: those of repeated runs, and those of a sweep's variations. */
const BELOW = 'profile_runs';
const RUN = /^run_\d+$/;
const VARIATION = /^variation_\d+_/;

/** The folders of runs below one, in the order of their names; none for the folder of a single run. */
export async function runFoldersIn(folder: string): Promise<string[]> {
  const repeated = await matching(join(folder, BELOW), RUN);
  if (repeated.length > 0) return repeated;
  const found: string[] = [];
  for (const variation of await matching(folder, VARIATION)) {
    const runs = await matching(join(variation, BELOW), RUN);
    found.push(...(runs.length > 0 ? runs : [variation]));
  }
  return found;
}

async function matching(folder: string, pattern: RegExp): Promise<string[]> {
  const names = await readdir(folder).catch((): string[] => []);
  return names
    .filter(name => pattern.test(name))
    .sort()
    .map(name => join(folder, name));
}
