import type { ColumnType } from '../columns.ts';
import type { ColumnValues, DoubleValues, Int64Values, TextValues } from './column.ts';

/** Consecutive rows of a row group, by column. */
export interface RowBatch {
  readonly rows: number;
  readonly rowGroup: number;
  /** Index of the first row in the file. */
  readonly firstRow: number;
  readonly columns: ReadonlyMap<string, ColumnValues>;
}

/** Returns a string column of a batch. Throws a RangeError if there is no such column. */
export function getTexts(batch: RowBatch, column: string): TextValues {
  const values = batch.columns.get(column);
  if (values?.type !== 'string') throw noColumn(batch, column, 'string');
  return values;
}

/** Returns a double column of a batch. Throws a RangeError if there is no such column. */
export function getDoubles(batch: RowBatch, column: string): DoubleValues {
  const values = batch.columns.get(column);
  if (values?.type !== 'double') throw noColumn(batch, column, 'double');
  return values;
}

/** Returns a 64-bit integer column of a batch. Throws a RangeError if there is no such column. */
export function getInt64s(batch: RowBatch, column: string): Int64Values {
  const values = batch.columns.get(column);
  if (values?.type !== 'int64') throw noColumn(batch, column, 'int64');
  return values;
}

function noColumn(batch: RowBatch, column: string, type: ColumnType): RangeError {
  const columns = Array.from(batch.columns, ([name, values]) => `${name} (${values.type})`).join(', ');
  return new RangeError(
    `the batch has no column ${JSON.stringify(column)} of type ${type}; it has ${columns}`,
  );
}
