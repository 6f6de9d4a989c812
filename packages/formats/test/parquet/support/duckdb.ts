import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll } from 'vitest';

export type DuckDBRow = Record<string, unknown>;

/** Returns a function that runs SQL in a DuckDB instance, which is closed after the tests of the file. */
export function openDuckDB(): (sql: string) => Promise<DuckDBRow[]> {
  let connection: Promise<DuckDBConnection> | undefined;
  afterAll(async () => {
    const opened = await connection;
    // Another test file may use the function, if a module that both import has called openDuckDB.
    connection = undefined;
    opened?.closeSync();
  });
  return async sql => {
    connection ??= DuckDBInstance.create(':memory:', { threads: '1' }).then(instance => instance.connect());
    const result = await (await connection).runAndReadAll(sql);
    const names = result.columnNames();
    return result.getRows().map(row => Object.fromEntries(row.map((cell, i) => [names[i]!, cell])));
  };
}
