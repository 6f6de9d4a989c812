import {
  arrayFromArrayValue,
  arrayFromListValue,
  type DuckDBConnection,
  type DuckDBResult,
  type DuckDBType,
  DuckDBTypeId,
  type DuckDBValue,
  type DuckDBValueConverter,
  JsonDuckDBValueConverter,
  objectArrayFromMapValue,
  objectFromStructValue,
  objectFromUnionValue,
  ResultReturnType,
  StatementType,
} from '@duckdb/node-api';
import { RunError } from '@org/analysis/files';
import { formatCount } from '@org/core/numberFormat';
import type { Database } from './database.ts';
import type { QueryResult, ResultRow, Value } from './queryResult.ts';

/**
 * Runs statements in order and yields the results of the statements that return rows. A batch is a DuckDB chunk,
 * with at most 2048 rows.
 *
 * @throws RunError before any statement runs if one would overwrite a file of the runs
 */
export async function* runStatements(
  { connection, guard }: Pick<Database, 'connection' | 'guard'>,
  sql: string,
): AsyncGenerator<QueryResult> {
  await guard.checkStatements(sql);
  const statements = await connection.extractStatements(sql);
  for (let i = 0; i < statements.count; i++) {
    const prepared = await statements.prepare(i);
    if (prepared.statementType === StatementType.TRANSACTION) ownTransactions.add(connection);
    const isChecked = prepared.statementType === StatementType.SELECT;
    const hasTransaction = isChecked && !ownTransactions.has(connection);
    if (hasTransaction) await connection.run('BEGIN TRANSACTION');
    try {
      const result = await prepared.stream();
      if (result.returnType !== ResultReturnType.QUERY_RESULT) continue;
      const batches = readBatches(result, isChecked ? connection : undefined);
      yield { columns: result.deduplicatedColumnNames(), batches };
    } finally {
      if (hasTransaction) await connection.run('ROLLBACK');
    }
  }
}

/** Connections on which the user has controlled transactions, which cannot be nested. */
const ownTransactions = new WeakSet<DuckDBConnection>();

/**
 * Reads the rows of a result. A result whose query fails while it is read ends early, without an error; only the
 * transaction shows the failure. `connection` is undefined for statements that are not checked.
 */
async function* readBatches(
  result: DuckDBResult,
  connection: DuckDBConnection | undefined,
): AsyncGenerator<readonly ResultRow[]> {
  let count = 0;
  for await (const rows of result.yieldConvertedRows(toValue)) {
    count += rows.length;
    if (rows.length > 0) yield rows;
  }
  const hasFailed = await connection?.run('SELECT 1').then(
    () => false,
    () => true,
  );
  if (hasFailed)
    throw new RunError(
      `the result is incomplete: the query failed or was interrupted after ${formatCount(count, 'row')}; to see the error, run it as CREATE TEMP TABLE result AS SELECT ...`,
    );
}

/** Converts a DuckDB value. Types without a counterpart in JSON, such as dates, become text. */
const toValue: DuckDBValueConverter<Value> = (
  value: DuckDBValue,
  type: DuckDBType,
  convert: DuckDBValueConverter<Value>,
): Value | null => {
  if (value === null) return null;
  switch (type.typeId) {
    case DuckDBTypeId.BIGINT:
    case DuckDBTypeId.UBIGINT:
    case DuckDBTypeId.HUGEINT:
    case DuckDBTypeId.UHUGEINT:
    case DuckDBTypeId.FLOAT:
    case DuckDBTypeId.DOUBLE:
      return value as bigint | number;
    case DuckDBTypeId.DECIMAL:
      return Number(String(value));
    case DuckDBTypeId.LIST:
      return arrayFromListValue(value, type, convert);
    case DuckDBTypeId.ARRAY:
      return arrayFromArrayValue(value, type, convert);
    case DuckDBTypeId.STRUCT:
      return objectFromStructValue(value, type, convert);
    case DuckDBTypeId.UNION:
      return objectFromUnionValue(value, type, convert);
    case DuckDBTypeId.MAP:
      return objectArrayFromMapValue(value, type, convert);
    default:
      return JsonDuckDBValueConverter(value, type, JsonDuckDBValueConverter);
  }
};
