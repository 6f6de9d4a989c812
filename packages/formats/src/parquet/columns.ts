/** Physical types of the export; a string is a BYTE_ARRAY with the logical type STRING. */
export type ColumnType = 'string' | 'int64' | 'double';

/** One column of the Parquet export. */
export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  readonly nullable: boolean;
}

/** The columns before the labels (seed 000, "Fixed Columns"). */
export const FIXED_COLUMNS: readonly Column[] = [
  { name: 'endpoint_url', type: 'string', nullable: false },
  { name: 'metric_name', type: 'string', nullable: false },
  { name: 'metric_type', type: 'string', nullable: false },
  { name: 'unit', type: 'string', nullable: true },
  { name: 'description', type: 'string', nullable: true },
  { name: 'timestamp_ns', type: 'int64', nullable: false },
];

/** The columns after the labels (seed 000, "Value Columns"). */
export const VALUE_COLUMNS: readonly Column[] = [
  { name: 'value', type: 'double', nullable: true },
  { name: 'sum', type: 'double', nullable: true },
  { name: 'count', type: 'double', nullable: true },
  { name: 'bucket_le', type: 'string', nullable: true },
  { name: 'bucket_count', type: 'double', nullable: true },
];

/** The eleven names that no label column may have (seed 000, note under "Dynamic Label Columns"). */
export const RESERVED_COLUMNS: readonly string[] = [...FIXED_COLUMNS, ...VALUE_COLUMNS].map(
  column => column.name,
);

const reserved = new Set(RESERVED_COLUMNS);

/** What `planLabelColumns` found. */
export interface LabelColumns {
  /** The label columns of the file, in alphabetical order. */
  readonly columns: readonly string[];
  /** Labels that get no column because their name is taken by a fixed or value column, in alphabetical order. */
  readonly excluded: readonly string[];
  /** Groups of columns that engines which ignore case (DuckDB, Spark) cannot tell apart by name. */
  readonly ambiguous: readonly (readonly string[])[];
}

/**
 * The label columns of an export: all label names that occur, each once, ordered by code point as Python's sorted()
 * orders them.
 *
 * A label that is called like one of the eleven reserved columns is left out (seed 000), also when it differs in case
 * only: DuckDB would show a label `Value` as `value` and rename the real one to `value_1`, so that the queries of the
 * seed would read the label. Labels that differ in case from each other only are kept, and reported.
 *
 * @param labelNames the label names of all series, with repetitions
 */
export function planLabelColumns(labelNames: Iterable<string>): LabelColumns {
  const names = Array.from(new Set(labelNames)).sort(byCodePoint);
  const columns = names.filter(name => !isReserved(name));
  return {
    columns,
    excluded: names.filter(isReserved),
    ambiguous: sameButForCase(columns),
  };
}

/** Whether a label of this name gets no column of its own. */
export function isReserved(labelName: string): boolean {
  return reserved.has(labelName.toLowerCase());
}

/** All columns of a file in order: fixed, labels, values. */
export function columnsOf(labelColumns: readonly string[]): readonly Column[] {
  const labels = labelColumns.map((name): Column => ({ name, type: 'string', nullable: true }));
  return [...FIXED_COLUMNS, ...labels, ...VALUE_COLUMNS];
}

/** UTF-8 orders like code points, JavaScript's own comparison like UTF-16 units. */
export function byCodePoint(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function sameButForCase(names: readonly string[]): string[][] {
  const groups = new Map<string, string[]>();
  for (const name of names) {
    const key = name.toLowerCase();
    const group = groups.get(key);
    if (group) group.push(name);
    else groups.set(key, [name]);
  }
  return Array.from(groups.values()).filter(group => group.length > 1);
}
