import type { Issue, Severity } from '../../validate/issue.ts';

/** Maximum number of findings kept per rule. Further findings are only counted. */
const MAX_KEPT_PER_RULE = 10;
/** Maximum length of a value in a finding, in characters. Longer values are truncated. */
const MAX_VALUE_LENGTH = 200;

/** Collects the findings about one file in bounded memory. */
export class Findings {
  readonly #kept: Issue[] = [];
  readonly #counts = new Map<ParquetRule, number>();

  add(rule: ParquetRule, path: string, message: string, value?: unknown): void {
    const count = (this.#counts.get(rule) ?? 0) + 1;
    this.#counts.set(rule, count);
    if (count > MAX_KEPT_PER_RULE) return;
    this.#kept.push({
      rule,
      severity: parquetRules[rule],
      path,
      message,
      ...(value !== undefined && { value: truncate(value) }),
    });
  }

  /**
   * Returns the kept findings in order, followed by a finding with the number of omitted findings for each
   * rule that exceeds the limit.
   */
  listIssues(): Issue[] {
    const summaries = Array.from(this.#counts).flatMap(([rule, count]): Issue[] => {
      const omitted = count - MAX_KEPT_PER_RULE;
      if (omitted <= 0) return [];
      const message = `${omitted.toLocaleString('en-US')} more findings of this rule are not listed`;
      return [{ rule, severity: parquetRules[rule], path: 'the file', message }];
    });
    return [...this.#kept, ...summaries];
  }
}

/** Converts bigints to strings, which JSON requires, and truncates long strings. */
function truncate(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'string' || value.length <= MAX_VALUE_LENGTH) return value;
  return `${value.slice(0, MAX_VALUE_LENGTH)}…`;
}

/** Formats the location of a cell. Rows are counted from 0, as in DuckDB's file_row_number and pandas. */
export function formatCellPlace(row: number, column: string): string {
  return `row ${row} (counted from 0), column ${column}`;
}

/** Id of a rule for Parquet exports. */
export type ParquetRule =
  | 'parquet-invalid'
  | 'parquet-unsupported'
  | 'parquet-column-missing'
  | 'parquet-column-type'
  | 'parquet-column-nullable'
  | 'parquet-column-order'
  | 'parquet-column-case'
  | 'parquet-metadata-missing'
  | 'parquet-metadata-value'
  | 'schema-version-unknown'
  | 'parquet-null'
  | 'parquet-fields'
  | 'parquet-metric-type'
  | 'parquet-number'
  | 'parquet-negative'
  | 'parquet-time'
  | 'parquet-row-repeated'
  | 'buckets-bounds'
  | 'buckets-infinity'
  | 'buckets-monotone'
  | 'buckets-count';

/** The severity of each rule for Parquet exports. Rules that also apply to JSON and CSV have the same id there. */
export const parquetRules: Readonly<Record<ParquetRule, Severity>> = {
  /** Not a Parquet file, truncated, corrupt, or with more rows than its size allows. */
  'parquet-invalid': 'error',
  /** A codec, encoding or feature that is not supported. */
  'parquet-unsupported': 'error',
  'parquet-column-missing': 'error',
  'parquet-column-type': 'error',
  'parquet-column-nullable': 'error',
  'parquet-column-order': 'error',
  /** Two names differ in case only, which DuckDB and Spark cannot distinguish. */
  'parquet-column-case': 'warning',
  'parquet-metadata-missing': 'error',
  'parquet-metadata-value': 'error',
  'schema-version-unknown': 'error',
  'parquet-null': 'error',
  'parquet-fields': 'error',
  'parquet-metric-type': 'error',
  'parquet-number': 'error',
  'parquet-negative': 'error',
  'parquet-time': 'error',
  /** Exports omit labels with reserved names, so two series can become identical. */
  'parquet-row-repeated': 'warning',
  'buckets-bounds': 'error',
  'buckets-infinity': 'error',
  'buckets-monotone': 'error',
  'buckets-count': 'error',
};
