import type { ColumnType } from '../columns.ts';
import type { ColumnValues, DoubleValues, Int64Values, TextValues } from './column.ts';

/** Some rows of a row group, column by column. */
export interface RowBatch {
  readonly rows: number;
  readonly rowGroup: number;
  /** Index in the file of the first row. */
  readonly firstRow: number;
  readonly columns: ReadonlyMap<string, ColumnValues>;
}

/** The strings of a column of a batch. Throws a RangeError when it has none of that name and type. */
export function getTexts(batch: RowBatch, column: string): TextValues {
  const values = batch.columns.get(column);
  if (values?.type !== 'string') throw noColumn(batch, column, 'string');
  return values;
}

/** The doubles of a column of a batch. Throws a RangeError when it has none of that name and type. */
export function getDoubles(batch: RowBatch, column: string): DoubleValues {
  const values = batch.columns.get(column);
  if (values?.type !== 'double') throw noColumn(batch, column, 'double');
  return values;
}

/** The 64-bit integers of a column of a batch. Throws a RangeError when it has none of that name and type. */
export function getInt64s(batch: RowBatch, column: string): Int64Values {
  const values = batch.columns.get(column);
  if (values?.type !== 'int64') throw noColumn(batch, column, 'int64');
  return values;
}

function noColumn(batch: RowBatch, column: string, type: ColumnType): RangeError {
  const there = Array.from(batch.columns, ([name, values]) => `${name} (${values.type})`).join(', ');
  return new RangeError(`no column ${JSON.stringify(column)} of type ${type} was read; there are ${there}`);
}
