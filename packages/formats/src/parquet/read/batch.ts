import type { ColumnType } from '../columns.ts';

/** Values of a string column, with each distinct string stored once. */
export interface TextValues {
  readonly type: 'string';
  /** For each row, the index of its string in `texts`, or -1 for null. */
  readonly codes: Int32Array;
  readonly texts: readonly string[];
}

/** Values of a double column. */
export interface DoubleValues {
  readonly type: 'double';
  /** Value of each row, or NaN for null. */
  readonly values: Float64Array;
  /** 1 for each row with a value and 0 for null; absent if there are no nulls. */
  readonly present?: Uint8Array;
}

/** Values of a 64-bit integer column. */
export interface Int64Values {
  readonly type: 'int64';
  /** Value of each row, or 0 for null. */
  readonly values: BigInt64Array;
  /** 1 for each row with a value and 0 for null; absent if there are no nulls. */
  readonly present?: Uint8Array;
}

export type ColumnValues = TextValues | DoubleValues | Int64Values;

/** Consecutive rows of a row group, by column. */
export interface RowBatch {
  /** Number of rows. */
  readonly rows: number;
  /** Index of the row group in the file. */
  readonly rowGroup: number;
  /** Index of the first row in the file. */
  readonly firstRow: number;
  readonly columns: ReadonlyMap<string, ColumnValues>;
}

/** Returns a string column of a batch. Throws a RangeError if there is no such column. */
export function getTexts(batch: RowBatch, column: string): TextValues {
  const values = batch.columns.get(column);
  if (values?.type !== 'string') throw createColumnError(batch, column, 'string');
  return values;
}

/** Returns a double column of a batch. Throws a RangeError if there is no such column. */
export function getDoubles(batch: RowBatch, column: string): DoubleValues {
  const values = batch.columns.get(column);
  if (values?.type !== 'double') throw createColumnError(batch, column, 'double');
  return values;
}

/** Returns a 64-bit integer column of a batch. Throws a RangeError if there is no such column. */
export function getInt64s(batch: RowBatch, column: string): Int64Values {
  const values = batch.columns.get(column);
  if (values?.type !== 'int64') throw createColumnError(batch, column, 'int64');
  return values;
}

function createColumnError(batch: RowBatch, column: string, type: ColumnType): RangeError {
  const columns = Array.from(batch.columns, ([name, values]) => `${name} (${values.type})`).join(', ');
  return new RangeError(
    `the batch has no column ${JSON.stringify(column)} of type ${type}; it has ${columns}`,
  );
}
