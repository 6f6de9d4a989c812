import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formatPartitionFolder } from '@org/formats/parquet';
import { UsageError } from '@org/terminal';
import { DATASET_MARKER, isDatasetFolder } from './datasetMarker.ts';

/** The tables of a dataset: views of `read query` that are stored as Parquet files. */
export const DATASET_TABLES = [
  'samples',
  'histograms',
  'buckets',
  'statistics',
  'derived',
  'requests',
  'gpu_samples',
  'runs',
] as const;

export type DatasetTable = (typeof DATASET_TABLES)[number];

/** The name of the only file in a partition. */
const PART = 'part-0.parquet';

/**
 * Creates the folder of a dataset, or checks that an existing one is a dataset.
 *
 * @throws UsageError if the folder contains other files
 */
export async function openDatasetFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  if (await isDatasetFolder(folder)) {
    const text = await readFile(join(folder, DATASET_MARKER), 'utf8');
    if (isKnownVersion(text)) return;
    throw new UsageError(
      `${JSON.stringify(folder)} is a dataset of another version of Servelens; write to another folder`,
    );
  }
  if ((await readdir(folder)).length > 0)
    throw new UsageError(
      `${JSON.stringify(folder)} contains other files; expected an empty folder, or one that servelens read dataset has written`,
    );
  await writeFile(
    join(folder, DATASET_MARKER),
    `${JSON.stringify({ version: 1, tables: DATASET_TABLES }, null, 2)}\n`,
  );
}

function isKnownVersion(text: string): boolean {
  try {
    return (JSON.parse(text) as { version?: unknown }).version === 1;
  } catch {
    return false;
  }
}

/**
 * Returns the path of the file of a run in a table.
 *
 * @throws UsageError if the name of the run is too long for a folder
 */
export function getPartPath(folder: string, table: DatasetTable, run: string): string {
  const { name, shortened } = formatPartitionFolder('run', run);
  if (shortened)
    throw new UsageError(`the name of the run ${JSON.stringify(run)} is too long for a folder; rename it`);
  return join(folder, table, name, PART);
}

/** Lists the files of a table, in the order of their names. */
export async function listParts(folder: string, table: DatasetTable): Promise<string[]> {
  const names = await readdir(join(folder, table)).catch(() => []);
  const paths = names.filter(name => name.startsWith('run=')).map(name => join(folder, table, name, PART));
  const isFile = await Promise.all(
    paths.map(path =>
      stat(path).then(
        stats => stats.isFile(),
        () => false,
      ),
    ),
  );
  return paths.filter((_, index) => isFile[index]).sort();
}
