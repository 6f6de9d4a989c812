import { existsSync } from 'node:fs';
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { OpenOptions } from '@org/analysis';
import { RunError } from '@org/analysis/files';
import { formatCount } from '@org/core/numberFormat';
import { createDerivedView, DERIVED_COLUMNS } from './derived.ts';
import { ExportGuard } from './exportGuard.ts';
import { createGpuSamplesView } from './gpuSamples.ts';
import { createMacros } from './macros.ts';
import { createRequestsView } from './requests.ts';
import { createFileSource, findRowSources, isGlob, isRemote, type RowSource } from './rowSource.ts';
import { listRunColumns, type RunColumn } from './runColumns.ts';
import { RunTables } from './runTables.ts';
import { createStatisticsView, STATISTIC_COLUMNS } from './statistics.ts';
import { createRowsView, createRunFiles, createViews, METADATA, quoteLiteral, quoteName } from './views.ts';

/** A DuckDB database with views of the Parquet exports of runs. */
export interface Database {
  readonly connection: DuckDBConnection;
  /** All columns of the view `rows`, including labels. */
  readonly columns: readonly string[];
  readonly sources: readonly RowSource[];
  /** The rows of the views `statistics` and `derived`. */
  readonly tables: Pick<RunTables, 'load'>;
  /** Runs without samples, as messages. */
  readonly notes: readonly string[];
  /** Protects the files of the runs from being overwritten. */
  readonly guard: ExportGuard;
  close(): void;
}

/**
 * Opens an in-memory DuckDB database with views of the Parquet exports of runs. Rows are read when a view is queried.
 *
 * @throws RunError if DuckDB is not installed, or the rows of a run cannot be read
 */
export async function openDatabase(runs: readonly string[], open: OpenOptions = {}): Promise<Database> {
  const { connection, close } = await openConnection();
  try {
    if (runs.some(isRemote)) await loadHttpfs(connection);
    const sources = deduplicate((await Promise.all(runs.map(run => findSources(connection, run)))).flat());
    for (const statement of createMacros()) await connection.run(statement);
    const { columns, runColumns } = await createRows(connection, sources);
    for (const statement of createViews(sources, columns, runColumns)) await connection.run(statement);
    await connection.run(await createRequestsView(sources, runColumns));
    await connection.run(await createGpuSamplesView(sources, runColumns));
    return {
      connection,
      columns,
      sources,
      tables: new RunTables(connection, sources, open),
      notes: describeMissingRows(sources),
      guard: await ExportGuard.create(sources),
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

/**
 * Opens an in-memory DuckDB database.
 *
 * @throws RunError if DuckDB is not installed
 */
export async function openConnection(): Promise<Pick<Database, 'connection' | 'close'>> {
  const instance = await createInstance();
  const connection = await instance.connect();
  // Every view reads the file footers, which can be large, so they are cached.
  await connection.run('SET parquet_metadata_cache = true');
  const close = (): void => {
    connection.closeSync();
    instance.closeSync();
  };
  return { connection, close };
}

async function createInstance(): Promise<DuckDBInstance> {
  const api = await import('@duckdb/node-api').catch((error: unknown) => {
    throw new RunError(
      `cannot load DuckDB (package @duckdb/node-api), which is required for queries: ${getFirstLine(error)}`,
    );
  });
  return api.DuckDBInstance.create(':memory:');
}

async function loadHttpfs(connection: DuckDBConnection): Promise<void> {
  try {
    // If the extension is already installed, no network access is needed.
    await connection.run('LOAD httpfs').catch(async () => {
      await connection.run('INSTALL httpfs');
      await connection.run('LOAD httpfs');
    });
  } catch (error) {
    throw new RunError(
      `cannot install the DuckDB extension httpfs, which is required to read URLs: ${getFirstLine(error)}; ` +
        'copy the Parquet files to this machine',
    );
  }
}

async function findSources(connection: DuckDBConnection, run: string): Promise<readonly RowSource[]> {
  if (!isGlob(run)) return await findRowSources(run);
  const result = await connection.runAndReadAll(`SELECT file FROM glob(${quoteLiteral(run)}) ORDER BY file`);
  const files = result.getRows().map(([file]) => String(file));
  const parquetFiles = files.filter(file => file.endsWith('.parquet'));
  if (parquetFiles.length > 0) return parquetFiles.map(createFileSource);
  if (files.length === 0 && existsSync(run))
    throw new RunError(
      `${JSON.stringify(run)} exists, but its name is a pattern, because it contains *, ? or [; rename it`,
    );
  throw new RunError(
    files.length === 0
      ? `no file matches ${JSON.stringify(run)}`
      : `no Parquet file matches ${JSON.stringify(run)}; the pattern should end in *.parquet`,
  );
}

/** Removes duplicate files. If several files have the same run name, the path of each file becomes its run name. */
function deduplicate(sources: readonly RowSource[]): readonly RowSource[] {
  const uniqueSources = [
    ...new Map([...sources].reverse().map(source => [source.parquet ?? source.run, source])).values(),
  ].reverse();
  const counts = new Map<string, number>();
  for (const { run } of uniqueSources) counts.set(run, (counts.get(run) ?? 0) + 1);
  return uniqueSources.map(source =>
    counts.get(source.run)! > 1 && source.parquet ? { ...source, run: source.parquet } : source,
  );
}

/** Names of columns of the views that are not labels. */
const OWN_COLUMNS: readonly string[] = [
  'labels',
  'files',
  'le',
  ...STATISTIC_COLUMNS,
  ...DERIVED_COLUMNS,
  ...METADATA.map(([name]) => name),
];

/** Creates the view `rows`, with columns that describe the run of each row. Returns its columns. */
async function createRows(
  connection: DuckDBConnection,
  sources: readonly RowSource[],
): Promise<{ readonly columns: readonly string[]; readonly runColumns: readonly RunColumn[] }> {
  const files = sources.filter(({ parquet }) => parquet !== undefined);
  try {
    await createRunTables(connection, sources, []);
    const runColumns = listRunColumns(sources, [...(await describeRows(connection)), ...OWN_COLUMNS]);
    await connection.run(
      'DROP VIEW rows; DROP VIEW statistics; DROP TABLE run_statistics; DROP VIEW derived; DROP TABLE run_derived; DROP TABLE run_files',
    );
    await createRunTables(connection, sources, runColumns);
    return { columns: await describeRows(connection), runColumns };
  } catch (error) {
    const names = files.map(({ parquet }) => parquet).join(', ');
    throw new RunError(`cannot read the rows of ${names}: ${getFirstLine(error)}`);
  }
}

async function createRunTables(
  connection: DuckDBConnection,
  sources: readonly RowSource[],
  runColumns: readonly RunColumn[],
): Promise<void> {
  const names = ['run', ...runColumns.map(({ name }) => quoteName(name))];
  for (const statement of createRunFiles(sources, runColumns)) await connection.run(statement);
  await connection.run(createRowsView(sources, runColumns));
  for (const statement of [...createStatisticsView(names), ...createDerivedView(names)])
    await connection.run(statement);
}

async function describeRows(connection: DuckDBConnection): Promise<string[]> {
  const description = await connection.runAndReadAll('DESCRIBE rows');
  return description.getRows().map(([name]) => String(name));
}

/** Describes the runs of a sweep that have no Parquet export. */
function describeMissingRows(sources: readonly RowSource[]): string[] {
  const missing = sources.filter(({ parquet }) => parquet === undefined).map(({ run }) => run);
  if (missing.length === 0) return [];
  const [first, ...others] = missing;
  const names = others.length === 0 ? first : `${first} and ${others.length} more`;
  return [
    `${missing.length} of ${formatCount(sources.length, 'run')} ${missing.length === 1 ? 'has' : 'have'} no Parquet export, and rows only in the views runs, statistics and derived: ${names}`,
  ];
}

/** A DuckDB error caused by the statement or by the files. */
export class QueryError extends RunError {
  override readonly name = 'QueryError';
}

/** Matches messages of DuckDB errors caused by the statement or by the files. */
const USER_ERROR_PATTERN =
  /^(?:Parser|Binder|Catalog|Conversion|Invalid Input|Not implemented|Out of Range|IO|Constraint|Interrupt|Permission|Dependency|Syntax|INTERRUPT|Out of Memory|HTTP)\b.*Error/i;

/** Converts a DuckDB error to a QueryError, which is printed without a stack trace. Returns other errors unchanged. */
export function toQueryError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof RunError) return error;
  const message = error.message.replace(/^Failed to extract statements: /, '');
  return USER_ERROR_PATTERN.test(message) ? new QueryError(message) : error;
}

/** Returns the first line of an error message. In DuckDB messages, the other lines repeat the statement. */
function getFirstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0]!;
}
