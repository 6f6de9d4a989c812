import {
  arrayFromArrayValue,
  arrayFromListValue,
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
} from '@duckdb/node-api';
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
    const result = await prepared.stream();
    if (result.returnType === ResultReturnType.QUERY_RESULT)
      yield { columns: result.deduplicatedColumnNames(), batches: readBatches(result) };
  }
}

async function* readBatches(result: DuckDBResult): AsyncGenerator<readonly ResultRow[]> {
  for await (const rows of result.yieldConvertedRows(toValue)) if (rows.length > 0) yield rows;
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
