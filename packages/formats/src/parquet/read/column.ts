/** A string column, with each distinct string stored once. */
export interface TextValues {
  readonly type: 'string';
  /** Index in `texts` of each row, or -1 for null. */
  readonly codes: Int32Array;
  readonly texts: readonly string[];
}

/** A double column. */
export interface DoubleValues {
  readonly type: 'double';
  /** Value of each row, or NaN for null. */
  readonly values: Float64Array;
  /** 1 for each row with a value and 0 for null; absent if there are no nulls. */
  readonly present?: Uint8Array;
}

/** A 64-bit integer column. */
export interface Int64Values {
  readonly type: 'int64';
  /** Value of each row, or 0 for null. */
  readonly values: BigInt64Array;
  /** 1 for each row with a value and 0 for null; absent if there are no nulls. */
  readonly present?: Uint8Array;
}

export type ColumnValues = TextValues | DoubleValues | Int64Values;
