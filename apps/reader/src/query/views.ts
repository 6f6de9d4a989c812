import type { RowSource } from './rowSource.ts';

/** Quotes text as a SQL string literal. */
export function quoteLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** The columns of the Parquet export that are not labels. */
const NON_LABEL_COLUMNS = [
  'run',
  'endpoint_url',
  'metric_name',
  'metric_type',
  'unit',
  'description',
  'timestamp_ns',
  'value',
  'sum',
  'count',
  'bucket_le',
  'bucket_count',
] as const;

/** The columns of the view `runs`: name, SQL type, metadata key. */
const METADATA = [
  ['benchmark_id', 'VARCHAR', 'aiperf.benchmark_id'],
  ['version', 'VARCHAR', 'aiperf.version'],
  ['start_ns', 'BIGINT', 'aiperf.time_filter_start_ns'],
  ['end_ns', 'BIGINT', 'aiperf.time_filter_end_ns'],
  ['seconds', 'DOUBLE', 'aiperf.profiling_duration_seconds'],
  ['endpoints', 'VARCHAR[]', 'aiperf.endpoint_urls'],
  ['models', 'VARCHAR[]', 'aiperf.model_names'],
  ['metrics', 'INTEGER', 'aiperf.metric_count'],
  ['hostname', 'VARCHAR', 'aiperf.hostname'],
  ['exported', 'TIMESTAMP', 'aiperf.export_timestamp_utc'],
  ['input_config', 'JSON', 'aiperf.input_config'],
] as const;

/**
 * Returns the statement that creates the view `rows`, a union of the rows of all runs. The name of the run is a
 * constant in each part of the union, so a filter on `run` skips the files of other runs. Filters on other
 * columns are pushed down to the files.
 */
export function createRowsView(sources: readonly RowSource[]): string {
  return `CREATE VIEW rows AS ${sources.map(selectRows).join(' UNION ALL BY NAME ')}`;
}

function selectRows({ run, parquet, partitioned }: RowSource): string {
  const options = partitioned
    ? 'union_by_name = true, hive_partitioning = true'
    : 'union_by_name = true, hive_partitioning = false';
  return `SELECT ${quoteLiteral(run)} AS run, * FROM read_parquet(${quoteLiteral(parquet)}, ${options})`;
}

/**
 * Returns the statements that create the documented views. `columns` are the columns of `rows`. The view
 * `buckets` contains the bucket counts at the end of the period.
 *
 * The file contains increases since the start of the period. `samples` and `histograms` have an additional row with 0
 * at this time for each series whose first sample is above 0. Otherwise, the difference between its first and last row
 * would lack the increase up to the first sample.
 */
export function createViews(sources: readonly RowSource[], columns: readonly string[]): readonly string[] {
  const labels = columns.filter(name => !NON_LABEL_COLUMNS.some(column => column === name)).map(quoteName);
  const seriesColumns = ['run', 'endpoint_url', 'metric_name', 'metric_type', 'unit', ...labels].join(', ');
  return [
    createRunsView(sources),
    `CREATE VIEW samples AS SELECT * EXCLUDE (sum, count, bucket_le, bucket_count) FROM rows
     WHERE metric_type <> 'histogram'
     UNION ALL BY NAME ${selectStartRows('counter', seriesColumns, '0.0 AS value', 'arg_min(value, timestamp_ns)')}`,
    `CREATE VIEW histograms AS SELECT * EXCLUDE (metric_type, value), le(bucket_le) AS le FROM rows
     WHERE metric_type = 'histogram'
     UNION ALL BY NAME SELECT * EXCLUDE (metric_type), le(bucket_le) AS le FROM (${selectStartRows(
       'histogram',
       `${seriesColumns}, bucket_le`,
       '0.0 AS sum, 0.0 AS count, 0.0 AS bucket_count',
       'arg_min(count, timestamp_ns)',
     )})`,
    `CREATE VIEW buckets AS SELECT ${['run', 'endpoint_url', 'metric_name', 'unit', ...labels].join(', ')}, bucket_le, le,
       arg_max(bucket_count, timestamp_ns) AS bucket_count
     FROM histograms GROUP BY ALL`,
    `CREATE VIEW series AS SELECT ${seriesColumns}, any_value(description) AS description,
       count(DISTINCT timestamp_ns) AS samples, min(timestamp_ns) AS first_ns, max(timestamp_ns) AS last_ns
     FROM rows GROUP BY ${seriesColumns}`,
  ];
}

/** Selects a row at the start of the period for each series whose first value, `first`, is above 0. */
function selectStartRows(type: string, columns: string, values: string, first: string): string {
  return `SELECT * EXCLUDE (first_ns, start_ns), least(start_ns, first_ns - 1) AS timestamp_ns FROM (
      SELECT ${columns}, any_value(description) AS description, ${values}, min(timestamp_ns) AS first_ns
      FROM rows WHERE metric_type = '${type}' GROUP BY ${columns} HAVING ${first} > 0
    ) JOIN (SELECT run, start_ns FROM runs) USING (run)`;
}

/** Returns the statement that creates the view `runs`. File metadata is read when the view is queried. */
function createRunsView(sources: readonly RowSource[]): string {
  const files = sources.map(
    ({ run, parquet }) =>
      `SELECT ${quoteLiteral(run)} AS run, * FROM parquet_kv_metadata(${quoteLiteral(parquet)})`,
  );
  const values = METADATA.map(([column, type, key]) => {
    const text = `max(decode(value)) FILTER (decode(key) = ${quoteLiteral(key)})`;
    return `${type === 'VARCHAR[]' ? `CAST(${text} AS JSON)::VARCHAR[]` : `TRY_CAST(${text} AS ${type})`} AS ${column}`;
  });
  return `CREATE VIEW runs AS SELECT run, ${values.join(', ')}, count(DISTINCT file_name) AS files
    FROM (${files.join(' UNION ALL ')}) GROUP BY run ORDER BY run`;
}

function quoteName(column: string): string {
  return `"${column.replaceAll('"', '""')}"`;
}
