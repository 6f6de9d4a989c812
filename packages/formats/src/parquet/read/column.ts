/** Strings of some rows, each different one once. */
export interface TextValues {
  readonly type: 'string';
  /** For each row the index of its string in `texts`, or -1 when it has none. */
  readonly codes: Int32Array;
  readonly texts: readonly string[];
}

/** Doubles of some rows. */
export interface DoubleValues {
  readonly type: 'double';
  /** For each row its value, or NaN when it has none. */
  readonly values: Float64Array;
  /** For each row 1 when it has a value and 0 when not; absent when all have one. */
  readonly present?: Uint8Array;
}

/** 64-bit integers of some rows. */
export interface Int64Values {
  readonly type: 'int64';
  /** For each row its value, or 0 when it has none. */
  readonly values: BigInt64Array;
  readonly present?: Uint8Array;
}

export type ColumnValues = TextValues | DoubleValues | Int64Values;
