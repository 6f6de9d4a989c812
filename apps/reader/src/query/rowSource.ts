import { readdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { findRunFiles, RunError, statRun } from '@org/analysis';

/** The location of a run's rows. */
export interface RowSource {
  /** The name of the run; for a file of a glob, its folder. */
  readonly run: string;
  /** A path, glob or URL for DuckDB's `read_parquet`. */
  readonly parquet: string;
  /** True to read folders named `column=value` as columns. */
  readonly partitioned: boolean;
}

const REMOTE = /^[a-z][a-z0-9]+:\/\//i;
const GLOB = /[*?[]/;
const PARTITION = /^[^=/]+=/;

/** Reports whether a name is a URL (s3://, https://, gs://), which an extension of DuckDB reads. */
export function isRemote(name: string): boolean {
  return REMOTE.test(name) && !name.startsWith('file://');
}

/** Reports whether a name may match several files. */
export function isGlob(name: string): boolean {
  return GLOB.test(name);
}

/**
 * Finds the rows of a run by its folder, its Parquet file, a partitioned dataset or a URL.
 *
 * @throws RunError if there is no such path, it contains no Parquet export, or it is a pipe
 */
export async function findRowSource(name: string): Promise<RowSource> {
  if (isRemote(name)) return createFileSource(name);
  const found = await statRun(name);
  if (!found.isFile() && !found.isDirectory())
    throw new RunError(
      `cannot query ${JSON.stringify(name)}: Parquet is read from its end, so a pipe cannot be queried; name a file`,
    );
  if (!found.isDirectory()) return { run: name, parquet: name, partitioned: false };
  if (await isDataset(name)) return { run: name, parquet: `${name}/**/*.parquet`, partitioned: true };
  const { parquet } = await findRunFiles(name);
  if (parquet !== undefined) return { run: name, parquet, partitioned: false };
  throw new RunError(
    `${JSON.stringify(name)} contains no Parquet export, which queries require; ` +
      'collect with --server-metrics-formats parquet, or write it with servelens export',
  );
}

/** Creates the source for a file, named after its folder unless that says less. */
export function createFileSource(file: string): RowSource {
  const folder = dirname(file);
  const run = folder === '.' || folder.endsWith(':/') ? basename(file) : folder;
  return { run, parquet: file, partitioned: false };
}

async function isDataset(folder: string): Promise<boolean> {
  const names = await readdir(folder);
  return names.length > 0 && names.every(name => PARTITION.test(name));
}
