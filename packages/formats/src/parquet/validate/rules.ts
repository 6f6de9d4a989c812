import type { Severity } from '../../validate/issue.ts';

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

/** The rules of Parquet exports. Those that JSON and CSV exports share have the same id there. */
export const parquetRules: Readonly<Record<ParquetRule, Severity>> = {
  /** No Parquet file, cut off, broken, or more than its size can hold. */
  'parquet-invalid': 'error',
  /** A codec, encoding or feature that is not supported. */
  'parquet-unsupported': 'error',
  'parquet-column-missing': 'error',
  'parquet-column-type': 'error',
  'parquet-column-nullable': 'error',
  'parquet-column-order': 'error',
  /** Two names that differ in case only: DuckDB and Spark cannot tell them apart. */
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
  /** Labels that are called like a column are left out, and with them what told two series apart. */
  'parquet-row-repeated': 'warning',
  'buckets-bounds': 'error',
  'buckets-infinity': 'error',
  'buckets-monotone': 'error',
  'buckets-count': 'error',
};
