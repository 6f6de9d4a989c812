import { join } from 'node:path';

/** Runs a SQL query and returns its rows. */
export type Query = (sql: string) => Promise<Record<string, unknown>[]>;

/** Columns of a Parquet export that are not labels. */
const FIXED_COLUMNS = [
  ...['endpoint_url', 'metric_name', 'metric_type', 'unit', 'description', 'timestamp_ns'],
  ...['value', 'sum', 'count', 'bucket_le', 'bucket_count'],
];

/**
 * Reads the Parquet export of a folder with DuckDB and writes it as text, for Python without a Parquet reader:
 * `series.json` with one line per series, and `rows.csv`, which refers to the series by number.
 */
export async function writeParquetAsText(query: Query, folder: string): Promise<void> {
  const file = join(folder, 'server_metrics_export.parquet');
  const columns = await query(`DESCRIBE SELECT * FROM '${file}'`);
  const labels = columns.map(row => String(row.column_name)).filter(name => !FIXED_COLUMNS.includes(name));
  const struct = `struct_pack(${labels.map(name => `${quoteName(name)} := ${quoteName(name)}`).join(', ')})`;
  const identity = ['endpoint_url', 'metric_name', ...labels.map(quoteName)].join(', ');
  await query(
    `CREATE OR REPLACE TABLE export AS
       SELECT *, dense_rank() OVER (ORDER BY ${identity}) AS series, ${struct} AS labels,
              row_number() OVER () AS row
       FROM '${file}'`,
  );
  await query(
    `COPY (SELECT DISTINCT series, endpoint_url, metric_name, metric_type, labels FROM export)
     TO '${join(folder, 'series.json')}'`,
  );
  await query(
    `COPY (SELECT series, timestamp_ns, value, sum, count, bucket_le, bucket_count FROM export ORDER BY row)
     TO '${join(folder, 'rows.csv')}' (HEADER)`,
  );
}

function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
