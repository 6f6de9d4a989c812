import { readdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { findRunFiles, listSweptRuns, RunError, type SweptRun, statRun } from '@org/analysis/files';

/** The Parquet files of a run. */
export interface RowSource {
  /** The name of the run. For a file that matches a glob, the name is the folder of the file. */
  readonly run: string;
  /** A path, glob or URL for DuckDB's `read_parquet`; undefined if a run of a sweep or a repeat has no Parquet export. */
  readonly parquet: string | undefined;
  /** True to read folders named `column=value` as columns (Hive partitioning). */
  readonly partitioned: boolean;
  /** The position of a run in its sweep or among its repeats. */
  readonly position?: RunPosition;
}

/** The variation, the values of the swept parameters, and the number of a run. */
export type RunPosition = Pick<SweptRun, 'variation' | 'parameters' | 'trial'>;

const REMOTE = /^[a-z][a-z0-9]+:\/\//i;
const GLOB = /[*?[]/;
const PARTITION = /^[^=/]+=/;

/**
 * Reports whether a run is a URL, such as s3://, https:// or gs://. DuckDB requires the httpfs extension to
 * read URLs.
 */
export function isRemote(name: string): boolean {
  return REMOTE.test(name) && !name.startsWith('file://');
}

/** Reports whether a run is a glob, which may match several files. */
export function isGlob(name: string): boolean {
  return GLOB.test(name);
}

/**
 * Finds the rows of a run, or of all runs of a sweep or of repeated runs.
 *
 * @throws RunError as `findRowSource`
 */
export async function findRowSources(name: string): Promise<readonly RowSource[]> {
  const runs = isRemote(name) ? [] : await listSweptRuns(name);
  if (runs.length === 0) return [await findRowSource(name)];
  return await Promise.all(runs.map(createSweptSource));
}

async function createSweptSource({ folder, variation, parameters, trial }: SweptRun): Promise<RowSource> {
  const { parquet } = await findRunFiles(folder).catch((error: unknown) => {
    if (error instanceof RunError) return { parquet: undefined };
    throw error;
  });
  return { run: folder, parquet, partitioned: false, position: { variation, parameters, trial } };
}

/**
 * Finds the rows of a run by its folder, its Parquet file, a partitioned dataset or a URL.
 *
 * @throws RunError if the path does not exist, contains no Parquet export, or is a pipe
 */
export async function findRowSource(name: string): Promise<RowSource> {
  if (isRemote(name)) return createFileSource(name);
  const stats = await statRun(name);
  if (!stats.isFile() && !stats.isDirectory())
    throw new RunError(
      `cannot query ${JSON.stringify(name)}: Parquet is read from its end, so a pipe cannot be queried; expected a file`,
    );
  if (!stats.isDirectory()) return { run: name, parquet: name, partitioned: false };
  if (await isDataset(name)) return { run: name, parquet: `${name}/**/*.parquet`, partitioned: true };
  const { parquet } = await findRunFiles(name);
  if (parquet !== undefined) return { run: name, parquet, partitioned: false };
  throw new RunError(
    `${JSON.stringify(name)} contains no Parquet export, which is required for queries; ` +
      'collect with --server-metrics-formats parquet, or write it with servelens export',
  );
}

/**
 * Creates the source of a Parquet file. The name of the run is the folder of the file, or the name of the file
 * if it is in the current folder or at the top level of a URL.
 */
export function createFileSource(file: string): RowSource {
  const folder = dirname(file);
  const run = folder === '.' || folder.endsWith(':/') ? basename(file) : folder;
  return { run, parquet: file, partitioned: false };
}

async function isDataset(folder: string): Promise<boolean> {
  const names = await readdir(folder);
  return names.length > 0 && names.every(name => PARTITION.test(name));
}
