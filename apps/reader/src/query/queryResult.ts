/** A value in a result. Integers of 64 or more bits are bigints, so they are exact. */
export type Value =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly Value[]
  | { readonly [key: string]: Value };

/** A row of a result, with one value per column. */
export type ResultRow = readonly Value[];

/** The result of a statement. Rows are read from DuckDB in batches. */
export interface QueryResult {
  readonly columns: readonly string[];
  readonly batches: AsyncIterable<readonly ResultRow[]>;
}

/** Converts a value to JSON. Integers keep all digits; NaN and infinities become null. */
export function toJson(value: Value): string {
  if (typeof value === 'bigint') return value.toString();
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(toJson).join(',')}]`;
  const fields = Object.entries(value as Record<string, Value>);
  return `{${fields.map(([key, item]) => `${JSON.stringify(key)}:${toJson(item)}`).join(',')}}`;
}

/** Formats a value as the text of a cell. NULL becomes an empty string. */
export function formatText(value: Value): string {
  if (value === null) return '';
  return typeof value === 'object' ? toJson(value) : String(value);
}
