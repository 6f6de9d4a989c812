import { type DuckDBConnection, type DuckDBResult, ResultReturnType } from '@duckdb/node-api';
import { toValue } from './duckdbValue.ts';
import type { Value } from './value.ts';

/** What a statement gives, as it comes: rows in batches. */
export interface QueryResult {
  readonly columns: readonly string[];
  readonly batches: AsyncIterable<readonly (readonly Value[])[]>;
}

/**
 * Runs statements one after the other; those that give rows are answered. Rows of a batch are at most as many as DuckDB
 * puts in a chunk (2048).
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
  return { columns: result.deduplicatedColumnNames(), batches: batchesOf(result) };
}

async function* batchesOf(result: DuckDBResult): AsyncGenerator<readonly (readonly Value[])[]> {
  for await (const rows of result.yieldConvertedRows(toValue)) if (rows.length > 0) yield rows;
}
