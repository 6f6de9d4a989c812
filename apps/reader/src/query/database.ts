import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { RunError } from '@org/analysis';
import { createMacros } from './macros.ts';
import { createFileSource, findRowSource, isGlob, isRemote, type RowSource } from './rowSource.ts';
import { createRowsView, createViews, quoteLiteral } from './views.ts';

/** A DuckDB database with the rows of runs as views. */
export interface Database {
  readonly connection: DuckDBConnection;
  /** All columns of the rows, including labels. */
  readonly columns: readonly string[];
  readonly sources: readonly RowSource[];
  close(): void;
}

/**
 * Opens DuckDB in memory over the Parquet exports of runs, without loading their rows.
 *
 * @throws RunError if DuckDB is not installed, or the rows of a run cannot be read
 */
export async function openDatabase(runs: readonly string[]): Promise<Database> {
  const instance = await createInstance();
  const connection = await instance.connect();
  const close = (): void => {
    connection.closeSync();
    instance.closeSync();
  };
  try {
    if (runs.some(isRemote)) await loadHttpfs(connection);
    // Every view reads the footers of the files, which are large in large files: cache them.
    await connection.run('SET parquet_metadata_cache = true');
    const sources = deduplicate((await Promise.all(runs.map(run => findSources(connection, run)))).flat());
    for (const statement of createMacros()) await connection.run(statement);
    const columns = await listColumns(connection, sources);
    for (const statement of createViews(sources, columns)) await connection.run(statement);
    return { connection, columns, sources, close };
  } catch (error) {
    close();
    throw error;
  }
}

async function createInstance(): Promise<DuckDBInstance> {
  const api = await import('@duckdb/node-api').catch((error: unknown) => {
    throw new RunError(
      `cannot load DuckDB (package @duckdb/node-api), which queries require: ${getFirstLine(error)}`,
    );
  });
  return api.DuckDBInstance.create(':memory:');
}

async function loadHttpfs(connection: DuckDBConnection): Promise<void> {
  try {
    // An extension that is already installed does not need the network.
    await connection.run('LOAD httpfs').catch(async () => {
      await connection.run('INSTALL httpfs');
      await connection.run('LOAD httpfs');
    });
  } catch (error) {
    throw new RunError(
      `cannot install DuckDB's extension httpfs, which runs at a URL require: ${getFirstLine(error)}; ` +
        'copy the Parquet files to this machine',
    );
  }
}

async function findSources(connection: DuckDBConnection, run: string): Promise<readonly RowSource[]> {
  if (!isGlob(run)) return [await findRowSource(run)];
  const result = await connection.runAndReadAll(`SELECT file FROM glob(${quoteLiteral(run)}) ORDER BY file`);
  const files = result.getRows().map(([file]) => String(file));
  const parquet = files.filter(file => file.endsWith('.parquet'));
  if (parquet.length > 0) return parquet.map(createFileSource);
  throw new RunError(
    files.length === 0
      ? `no file matches ${JSON.stringify(run)}`
      : `no Parquet file matches ${JSON.stringify(run)}; the pattern should end in *.parquet`,
  );
}

/** Removes duplicates, and makes the names of files in one folder unique. */
function deduplicate(sources: readonly RowSource[]): readonly RowSource[] {
  const byFile = [
    ...new Map([...sources].reverse().map(source => [source.parquet, source])).values(),
  ].reverse();
  const counts = new Map<string, number>();
  for (const { run } of byFile) counts.set(run, (counts.get(run) ?? 0) + 1);
  return byFile.map(source => (counts.get(source.run)! > 1 ? { ...source, run: source.parquet } : source));
}

async function listColumns(
  connection: DuckDBConnection,
  sources: readonly RowSource[],
): Promise<readonly string[]> {
  try {
    await connection.run(createRowsView(sources));
    const described = await connection.runAndReadAll('DESCRIBE rows');
    return described.getRows().map(([name]) => String(name));
  } catch (error) {
    const names = sources.map(({ parquet }) => parquet).join(', ');
    throw new RunError(`cannot read the rows of ${names}: ${getFirstLine(error)}`);
  }
}

/** An error in SQL, with DuckDB's message, which points at the position. */
export class QueryError extends RunError {
  override readonly name = 'QueryError';
}

/** The messages of DuckDB's errors that the statement or the files cause. */
const USER_ERROR_PATTERN =
  /^(?:Parser|Binder|Catalog|Conversion|Invalid Input|Not implemented|Out of Range|IO|Constraint|Interrupt|Permission|Dependency|Syntax|INTERRUPT|Out of Memory|HTTP)\b.*Error/i;

/** Converts an error of DuckDB to one that is printed without a stack trace. Returns other errors unchanged. */
export function toQueryError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof RunError) return error;
  const message = error.message.replace(/^Failed to extract statements: /, '');
  return USER_ERROR_PATTERN.test(message) ? new QueryError(message) : error;
}

/** Returns DuckDB's message, without the lines that repeat the statement. */
function getFirstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0]!;
}
