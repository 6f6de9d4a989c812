import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Database } from '../query/database.ts';
import { quoteLiteral } from '../query/views.ts';
import { DATASET_TABLES, type DatasetTable, getPartPath } from './datasetFolder.ts';
import type { NamedRun } from './namedRuns.ts';

/** A file of a dataset. */
export interface WrittenPart {
  readonly table: DatasetTable;
  readonly path: string;
  readonly bytes: number;
}

/** The order of the rows, so that the rows of a metric and of a series are stored together. */
const ORDERS: Readonly<Partial<Record<DatasetTable, string>>> = {
  samples: 'metric_name, endpoint_url, timestamp_ns',
  histograms: 'metric_name, endpoint_url, timestamp_ns, le',
};

/** Writes the tables of a run, and replaces its earlier files. A table without rows has no file. */
export async function writeRun(database: Database, run: NamedRun, folder: string): Promise<WrittenPart[]> {
  const parts: WrittenPart[] = [];
  for (const table of DATASET_TABLES) {
    const path = getPartPath(folder, table, run.name);
    const bytes = await writePart(database, table, run, path);
    if (bytes !== undefined) parts.push({ table, path, bytes });
  }
  return parts;
}

/** Writes the rows of a run in a table. Returns the size of the file; undefined if there are no rows. */
async function writePart(
  { connection }: Database,
  table: DatasetTable,
  { source }: NamedRun,
  path: string,
): Promise<number | undefined> {
  const rows = `FROM ${table} WHERE run = ${quoteLiteral(source.run)}`;
  const [[exists]] = (await connection.runAndReadAll(`SELECT EXISTS (SELECT 1 ${rows})`)).getRows() as [
    [boolean],
  ];
  if (!exists) {
    await rm(dirname(path), { recursive: true, force: true });
    return undefined;
  }
  const order = ORDERS[table];
  const select = `SELECT * EXCLUDE (run) ${rows}${order === undefined ? '' : ` ORDER BY ${order}`}`;
  await mkdir(dirname(path), { recursive: true });
  // Engines ignore files whose names start with a dot.
  const temporary = join(dirname(path), `.part-0.${process.pid}.tmp`);
  try {
    await connection.run(`COPY (${select}) TO ${quoteLiteral(temporary)} (FORMAT parquet, COMPRESSION zstd)`);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  return (await stat(path)).size;
}
