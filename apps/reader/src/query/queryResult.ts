import { type DuckDBConnection, type DuckDBResult, ResultReturnType } from '@duckdb/node-api';
import { toValue } from './duckdbValue.ts';
import type { Value } from './value.ts';

/** The result of a statement: rows in batches, as they arrive. */
export interface QueryResult {
  readonly columns: readonly string[];
  readonly batches: AsyncIterable<readonly (readonly Value[])[]>;
}

/**
 * Runs statements in order and yields the results of those that return rows. A batch has at most as many rows
 * as a chunk of DuckDB (2048).
 */
export async function* runStatements(connection: DuckDBConnection, sql: string): AsyncGenerator<QueryResult> {
  const statements = await connection.extractStatements(sql);
  for (let i = 0; i < statements.count; i++) {
    const prepared = await statements.prepare(i);
    const result = await prepared.stream();
    if (result.returnType === ResultReturnType.QUERY_RESULT) yield toQueryResult(result);
  }
}

function toQueryResult(result: DuckDBResult): QueryResult {
  return { columns: result.deduplicatedColumnNames(), batches: readBatches(result) };
}

async function* readBatches(result: DuckDBResult): AsyncGenerator<readonly (readonly Value[])[]> {
  for await (const rows of result.yieldConvertedRows(toValue)) if (rows.length > 0) yield rows;
}
