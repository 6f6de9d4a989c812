import { readdir, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { findRunFiles, RunError } from '@org/analysis';

/** Where the rows of one run lie. */
export interface RowSource {
  /** What the user calls the run; a file of a glob is called by its folder. */
  readonly run: string;
  /** A path, glob or URL that DuckDB's `read_parquet` takes. */
  readonly parquet: string;
  /** Whether folders called `column=value` are columns, too. */
  readonly partitioned: boolean;
}

const REMOTE = /^[a-z][a-z0-9]+:\/\//i;
const GLOB = /[*?[]/;
const PARTITION = /^[^=/]+=/;

/** Whether a name is a URL (s3://, https://, gs://), which an extension of DuckDB reads. */
export function isRemote(name: string): boolean {
  return REMOTE.test(name) && !name.startsWith('file://');
}

/** Whether one name may stand for several files. */
export function isGlob(name: string): boolean {
  return GLOB.test(name);
}

/**
 * The rows of a run that was named by its folder, its Parquet file, a partitioned dataset or a URL.
 *
 * @throws RunError when there is no such thing, no Parquet export in it, or a pipe.
 */
export async function findRowSource(name: string): Promise<RowSource> {
  if (isRemote(name)) return createFileSource(name);
  const found = await stat(name).catch(() => undefined);
  if (!found) throw new RunError(`cannot read ${JSON.stringify(name)}: no such file or folder`);
  if (!found.isFile() && !found.isDirectory())
    throw new RunError(
      `cannot query ${JSON.stringify(name)}: Parquet is read from its end, which a pipe does not have before all was read; name a file`,
    );
  if (!found.isDirectory()) return { run: name, parquet: name, partitioned: false };
  if (await isDataset(name)) return { run: name, parquet: `${name}/**/*.parquet`, partitioned: true };
  const { parquet } = await findRunFiles(name);
  if (parquet !== undefined) return { run: name, parquet, partitioned: false };
  throw new RunError(
    `${JSON.stringify(name)} has no Parquet export, which queries read; ` +
      'collect with --server-metrics-formats parquet, or make it with servelens export',
  );
}

/** One file, called by its folder where that says more than its name. */
export function createFileSource(file: string): RowSource {
  const folder = dirname(file);
  const run = folder === '.' || folder.endsWith(':/') ? basename(file) : folder;
  return { run, parquet: file, partitioned: false };
}

async function isDataset(folder: string): Promise<boolean> {
  const names = await readdir(folder);
  return names.length > 0 && names.every(name => PARTITION.test(name));
}
