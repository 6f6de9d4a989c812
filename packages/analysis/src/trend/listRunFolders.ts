import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describeSystemError } from '@org/core/systemError';
import { listRepeatedRuns, listVariations } from '@org/record';
import { isFolder, RunError } from '../run/input.ts';
import { listRunFiles } from '../run/runFiles.ts';

/** The folders of one point of a trend: a run, or repeated runs. */
export interface RunSource {
  /** The path of the run, or of the folder of the repeated runs. */
  readonly path: string;
  readonly runs: readonly string[];
}

/** A path that is not part of a trend, with the reason. */
export interface RunProblem {
  readonly path: string;
  readonly reason: string;
}

/** The runs in folders, and the folders without runs. */
export interface ListedRuns {
  readonly sources: readonly RunSource[];
  readonly problems: readonly RunProblem[];
}

/** Folders deeper than this are not searched for runs. */
const MAX_DEPTH = 4;

const { compare } = new Intl.Collator('en', { numeric: true });

/**
 * Lists the runs of paths: runs, repeated runs, variations of sweeps, and folders that contain such folders. Files are runs
 * if the user named them. Every path that contains no run becomes a problem.
 */
export async function listRunFolders(paths: readonly string[]): Promise<ListedRuns> {
  const sources: RunSource[] = [];
  const problems: RunProblem[] = [];
  for (const path of paths) {
    try {
      const found = (await isFolder(path)) ? await listFolder(path, 0) : [{ path, runs: [path] }];
      sources.push(...found.filter(source => 'runs' in source));
      problems.push(...found.filter(source => 'reason' in source));
    } catch (error) {
      if (!(error instanceof RunError)) throw error;
      problems.push({ path, reason: error.message });
    }
  }
  return { sources, problems };
}

async function listFolder(folder: string, depth: number): Promise<(RunSource | RunProblem)[]> {
  const repeats = await listRepeatedRuns(folder);
  if (repeats.length > 0) return [{ path: folder, runs: repeats }];
  const variations = await listVariations(folder);
  if (variations.length > 0)
    return variations.map(({ name, runs }) => ({
      path: runs.length === 1 ? runs[0]! : join(folder, name),
      runs,
    }));
  if ((await listRunFiles(folder)).length > 0) return [{ path: folder, runs: [folder] }];
  const children = await listChildren(folder);
  if (typeof children === 'string') return [{ path: folder, reason: children }];
  if (children.length === 0 || depth === MAX_DEPTH) return [{ path: folder, reason: 'contains no run' }];
  const found: (RunSource | RunProblem)[] = [];
  for (const name of children) found.push(...(await listFolder(join(folder, name), depth + 1)));
  return found;
}

/** Lists the names of the folders in a folder, in order, or returns the reason why it cannot be read. */
async function listChildren(folder: string): Promise<string[] | string> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries
      .filter(entry => !entry.isFile() && !entry.name.startsWith('.'))
      .filter(entry => entry.isDirectory() || entry.isSymbolicLink())
      .map(({ name }) => name)
      .sort(compare);
  } catch (error) {
    const isFile = (error as NodeJS.ErrnoException).code === 'ENOTDIR';
    return isFile ? 'contains no run' : `cannot be read: ${describeSystemError(error)}`;
  }
}
