/** Column types of the export. A string is a BYTE_ARRAY with the logical type STRING. */
export type ColumnType = 'string' | 'int64' | 'double';

/** Layout of a file: `aiperf` has the schema and the metadata of AIPerf's files. */
export type ParquetLayout = 'servelens' | 'aiperf';

/** One column of the Parquet export. */
export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  readonly nullable: boolean;
}

/** The columns before the label columns. */
export const FIXED_COLUMNS: readonly Column[] = [
  { name: 'endpoint_url', type: 'string', nullable: false },
  { name: 'metric_name', type: 'string', nullable: false },
  { name: 'metric_type', type: 'string', nullable: false },
  { name: 'unit', type: 'string', nullable: true },
  { name: 'description', type: 'string', nullable: true },
  { name: 'timestamp_ns', type: 'int64', nullable: false },
];

/** The columns after the label columns. */
export const VALUE_COLUMNS: readonly Column[] = [
  { name: 'value', type: 'double', nullable: true },
  { name: 'sum', type: 'double', nullable: true },
  { name: 'count', type: 'double', nullable: true },
  { name: 'bucket_le', type: 'string', nullable: true },
  { name: 'bucket_count', type: 'double', nullable: true },
];

/** Names of the fixed and value columns, which label columns must not use. */
export const RESERVED_COLUMNS: readonly string[] = [...FIXED_COLUMNS, ...VALUE_COLUMNS].map(
  column => column.name,
);

const RESERVED = new Set(RESERVED_COLUMNS);

/** Result of `planLabelColumns`. */
export interface LabelColumns {
  /** The label columns of the file, in alphabetical order. */
  readonly columns: readonly string[];
  /** Labels without a column, because their name is reserved, in alphabetical order. */
  readonly excluded: readonly string[];
  /** Groups of columns whose names differ in case only, which DuckDB and Spark cannot distinguish. */
  readonly ambiguous: readonly (readonly string[])[];
}

/**
 * Returns the label columns of an export: all label names, sorted by code point as Python's sorted() does.
 *
 * Labels whose name is reserved are excluded, regardless of case: DuckDB would show a label `Value` as
 * `value` and rename the value column to `value_1`, so that queries would read the label. Labels that differ
 * from each other in case only are kept and listed as ambiguous.
 *
 * @param labelNames the label names of all series; may contain duplicates
 */
export function planLabelColumns(labelNames: Iterable<string>): LabelColumns {
  const names = Array.from(new Set(labelNames)).sort(compareCodePoints);
  const columns = names.filter(name => !isReserved(name));
  return {
    columns,
    excluded: names.filter(isReserved),
    ambiguous: groupByCase(columns),
  };
}

/** Reports whether a label has the name of a fixed or value column, regardless of case. */
export function isReserved(labelName: string): boolean {
  return RESERVED.has(labelName.toLowerCase());
}

/** Lists all columns of a file in order: fixed, labels, values. In AIPerf's layout, each column is nullable. */
export function listColumns(labelColumns: readonly string[], layout?: ParquetLayout): readonly Column[] {
  const labels = labelColumns.map((name): Column => ({ name, type: 'string', nullable: true }));
  const columns = [...FIXED_COLUMNS, ...labels, ...VALUE_COLUMNS];
  return layout === 'aiperf' ? columns.map(column => ({ ...column, nullable: true })) : columns;
}

/** Compares strings by code point. JavaScript's `<` compares UTF-16 code units. */
export function compareCodePoints(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function groupByCase(names: readonly string[]): string[][] {
  const groups = new Map<string, string[]>();
  for (const name of names) {
    const key = name.toLowerCase();
    const group = groups.get(key);
    if (group) group.push(name);
    else groups.set(key, [name]);
  }
  return Array.from(groups.values()).filter(group => group.length > 1);
}
