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
  /** Labels with the name of a column are omitted, so that two series can become identical. */
  'parquet-row-repeated': 'warning',
  'buckets-bounds': 'error',
  'buckets-infinity': 'error',
  'buckets-monotone': 'error',
  'buckets-count': 'error',
};
