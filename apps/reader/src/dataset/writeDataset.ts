import type { OpenOptions } from '@org/analysis';
import { RunError } from '@org/analysis/files';
import { openDatabase, toQueryError } from '../query/database.ts';
import { findRowSources, isGlob, isRemote } from '../query/rowSource.ts';
import { openDatasetFolder } from './datasetFolder.ts';
import { checkNames, type NamedRun, nameRuns } from './namedRuns.ts';
import { type WrittenPart, writeRun } from './writeRun.ts';

/** Number of arguments that are written at the same time. DuckDB uses several threads for one of them only if it is large. */
const PARALLEL = 4;

/** The runs to write, and the dataset. */
export interface DatasetOptions extends OpenOptions {
  /** Folders of runs, sweeps or repeated runs. */
  readonly runs: readonly string[];
  /** Folder of the dataset. */
  readonly folder: string;
  readonly cwd: string;
  /** Receives the reasons why statistics are missing. */
  readonly onNote: (note: string) => void;
  /** Called after each argument with the number of completed ones. */
  readonly onProgress: (completed: number, total: number) => void;
}

/** The result of a run: its files, or why it could not be written. */
export interface DatasetRun {
  readonly run: string;
  /** Path of the run. */
  readonly source: string;
  readonly parts: readonly WrittenPart[];
  readonly error?: string;
}

/** The runs of an argument. */
interface RunGroup {
  readonly argument: string;
  readonly runs: readonly NamedRun[];
  readonly error?: string;
}

/**
 * Writes runs into a dataset: one file per run and table. Runs that are already in the dataset are replaced, and others are
 * kept. A run that cannot be read is reported, and the others are written.
 *
 * @throws UsageError if the folder cannot be used, or if two runs have the same name
 */
export async function writeDataset(options: DatasetOptions): Promise<DatasetRun[]> {
  const groups = await Promise.all(options.runs.map(argument => findGroup(argument, options.cwd)));
  checkNames(groups.flatMap(({ runs }) => runs));
  if (groups.some(({ runs }) => runs.length > 0)) await openDatasetFolder(options.folder);
  let completed = 0;
  const results = await mapInParallel(groups, PARALLEL, async group => {
    const written = await writeGroup(group, options);
    completed += 1;
    options.onProgress(completed, groups.length);
    return written;
  });
  return results.flat();
}

async function findGroup(argument: string, cwd: string): Promise<RunGroup> {
  if (isGlob(argument) || isRemote(argument))
    return { argument, runs: [], error: 'expected a folder or a file; globs are expanded by the shell' };
  try {
    return { argument, runs: nameRuns(argument, await findRowSources(argument), cwd) };
  } catch (error) {
    return { argument, runs: [], error: describe(error) };
  }
}

async function writeGroup(
  { argument, runs, error }: RunGroup,
  { folder, servers, onNote }: DatasetOptions,
): Promise<DatasetRun[]> {
  if (error !== undefined) return [{ run: argument, source: argument, parts: [], error }];
  const fail = (problem: unknown) => (run: NamedRun) => toResult(run, [], describe(toQueryError(problem)));
  try {
    const database = await openDatabase([argument], servers ? { servers } : {});
    try {
      const notes = await database.tables.load('statistics, derived');
      for (const note of notes) onNote(note);
      const results: DatasetRun[] = [];
      for (const run of runs)
        results.push(
          await writeRun(database, run, folder).then(
            parts => toResult(run, parts),
            problem => fail(problem)(run),
          ),
        );
      return results;
    } finally {
      database.close();
    }
  } catch (problem) {
    return runs.map(fail(problem));
  }
}

function toResult({ name, source }: NamedRun, parts: readonly WrittenPart[], error?: string): DatasetRun {
  return { run: name, source: source.run, parts, ...(error === undefined ? {} : { error }) };
}

/** Returns the message of an error about the files of a run. Throws any other error. */
function describe(error: unknown): string {
  const isKnown = error instanceof RunError || (error as NodeJS.ErrnoException).syscall !== undefined;
  if (!isKnown) throw error;
  return (error as Error).message.split('\n')[0]!;
}

/** Calls a function for each item, at most `limit` at the same time. Returns the results in the order of the items. */
async function mapInParallel<Item, Result>(
  items: readonly Item[],
  limit: number,
  map: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(items.length);
  let next = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) results[index] = await map(items[index]!);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work));
  return results;
}
