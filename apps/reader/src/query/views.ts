import { isGlob, isRemote, type RowSource } from './rowSource.ts';
import type { RunColumn } from './runColumns.ts';

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
export const METADATA = [
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
 * Returns the statements that create the table of all runs, with one row per run: its name, its run columns and its
 * Parquet file.
 */
export function createRunFiles(
  sources: readonly RowSource[],
  runColumns: readonly RunColumn[],
): readonly string[] {
  const definitions = runColumns.map(({ name, type }) => `${quoteName(name)} ${type}`);
  const rows = sources.map(source => {
    const values = runColumns.map(({ read }) => source.position && read(source.position));
    return `(${[source.run, ...values, isJoined(source) ? source.parquet : undefined].map(quoteValue).join(', ')})`;
  });
  return [
    `CREATE TABLE run_files (${['run VARCHAR', ...definitions, 'run_file VARCHAR'].join(', ')})`,
    `INSERT INTO run_files VALUES ${rows.join(', ')}`,
  ];
}

function quoteValue(value: string | number | undefined): string {
  if (value === undefined) return 'NULL';
  return typeof value === 'number' ? String(value) : quoteLiteral(value);
}

/** Reports whether the rows of a run are read by the scan of several runs. A glob or URL is read separately. */
function isJoined({ parquet, partitioned }: RowSource): boolean {
  return parquet !== undefined && !partitioned && !isRemote(parquet) && !isGlob(parquet);
}

/**
 * Returns the statement that creates the view `rows`, the rows of all runs. The files of several runs are read by one
 * scan, because DuckDB needs seconds to plan a union of hundreds of files. A filter on the run skips the files of other
 * runs, and filters on other columns are pushed down to the files.
 */
export function createRowsView(sources: readonly RowSource[], runColumns: readonly RunColumn[] = []): string {
  const files = sources.filter(isJoined).flatMap(({ parquet }) => parquet ?? []);
  const columns = ['run', ...runColumns.map(({ name }) => quoteName(name))].map(name => `runs.${name}`);
  const needsJoin = files.length > 1 || runColumns.length > 0;
  const separate = sources.filter(source => source.parquet !== undefined && !(needsJoin && isJoined(source)));
  const parts = [
    ...(needsJoin && files.length > 0
      ? [
          `SELECT ${columns.join(', ')}, files.* EXCLUDE (run_file) FROM read_parquet(${quoteList(files)}, union_by_name = true, hive_partitioning = false, filename = 'run_file') files JOIN run_files runs ON runs.run_file = files.run_file`,
        ]
      : []),
    ...separate.map(selectRows),
  ];
  if (parts.length === 0) parts.push(selectNothing(columns));
  return `CREATE VIEW rows AS ${parts.join(' UNION ALL BY NAME ')}`;
}

function selectRows({ run, parquet, partitioned }: RowSource): string {
  const options = partitioned
    ? 'union_by_name = true, hive_partitioning = true'
    : 'union_by_name = true, hive_partitioning = false';
  return `SELECT ${quoteLiteral(run)} AS run, * FROM read_parquet(${quoteLiteral(parquet!)}, ${options})`;
}

/** Selects no rows, with the columns of the Parquet export, for runs without Parquet exports. */
function selectNothing(runColumns: readonly string[]): string {
  const numbers = ['value', 'sum', 'count', 'bucket_count'];
  const columns = NON_LABEL_COLUMNS.filter(name => name !== 'run').map(name => {
    if (name === 'timestamp_ns') return `NULL::BIGINT AS ${name}`;
    return `NULL::${numbers.includes(name) ? 'DOUBLE' : 'VARCHAR'} AS ${name}`;
  });
  return `SELECT ${[...runColumns, ...columns].join(', ')} FROM run_files runs WHERE false`;
}

function quoteList(texts: readonly string[]): string {
  return `[${texts.map(quoteLiteral).join(', ')}]`;
}

/**
 * Returns the statements that create the documented views. `columns` are the columns of `rows`. The view
 * `buckets` contains the bucket counts at the end of the period.
 *
 * The file contains increases since the start of the period. `samples` and `histograms` have an additional row with 0
 * at this time for each series whose first sample is above 0. Otherwise, the difference between its first and last row
 * would lack the increase up to the first sample.
 */
export function createViews(
  sources: readonly RowSource[],
  columns: readonly string[],
  runColumns: readonly RunColumn[] = [],
): readonly string[] {
  const runNames = ['run', ...runColumns.map(({ name }) => quoteName(name))];
  const labels = columns
    .filter(name => !NON_LABEL_COLUMNS.some(column => column === name))
    .map(quoteName)
    .filter(name => !runNames.includes(name));
  const seriesColumns = [...runNames, 'endpoint_url', 'metric_name', 'metric_type', 'unit', ...labels].join(
    ', ',
  );
  // Buckets of a histogram that could not be recognized are separate series with the label le. Histograms never have it.
  const bound = labels.find(isBound);
  const histogramLabels = labels.filter(name => !isBound(name));
  const histogramColumns = [
    ...runNames,
    'endpoint_url',
    'metric_name',
    'metric_type',
    'unit',
    ...histogramLabels,
  ];
  return [
    createRunsView(sources, runNames),
    `CREATE VIEW samples AS SELECT * EXCLUDE (sum, count, bucket_le, bucket_count) FROM rows
     WHERE metric_type <> 'histogram'
     UNION ALL BY NAME ${selectStartRows('counter', seriesColumns, '0.0 AS value', 'arg_min(value, timestamp_ns)')}`,
    `CREATE VIEW histograms AS SELECT * EXCLUDE (${['metric_type', 'value', ...(bound === undefined ? [] : [bound])].join(', ')}), le(bucket_le) AS le FROM rows
     WHERE metric_type = 'histogram'
     UNION ALL BY NAME SELECT * EXCLUDE (metric_type), le(bucket_le) AS le FROM (${selectStartRows(
       'histogram',
       [...histogramColumns, 'bucket_le'].join(', '),
       '0.0 AS sum, 0.0 AS count, 0.0 AS bucket_count',
       'arg_min(count, timestamp_ns)',
     )})`,
    `CREATE VIEW buckets AS SELECT ${[...runNames, 'endpoint_url', 'metric_name', 'unit', ...histogramLabels].join(', ')}, bucket_le, le,
       arg_max(bucket_count, timestamp_ns) AS bucket_count
     FROM histograms GROUP BY ALL`,
    `CREATE VIEW series AS SELECT ${seriesColumns}, any_value(description) AS description,
       count(DISTINCT timestamp_ns) AS samples, min(timestamp_ns) AS first_ns, max(timestamp_ns) AS last_ns
     FROM rows GROUP BY ${seriesColumns}`,
  ];
}

/** Reports whether a quoted column has the name of a bucket's bound. Names of columns are not case-sensitive. */
function isBound(name: string): boolean {
  return name.toLowerCase() === quoteName('le');
}

/** Selects a row at the start of the period for each series whose first value, `first`, is above 0. */
function selectStartRows(type: string, columns: string, values: string, first: string): string {
  return `SELECT * EXCLUDE (first_ns, start_ns), least(start_ns, first_ns - 1) AS timestamp_ns FROM (
      SELECT ${columns}, any_value(description) AS description, ${values}, min(timestamp_ns) AS first_ns
      FROM rows WHERE metric_type = '${type}' GROUP BY ${columns} HAVING ${first} > 0
    ) JOIN (SELECT run, start_ns FROM runs) USING (run)`;
}

/** Returns the statement that creates the view `runs`. File metadata is read when the view is queried. */
function createRunsView(sources: readonly RowSource[], runNames: readonly string[]): string {
  const files = sources.filter(isJoined).flatMap(({ parquet }) => parquet ?? []);
  const metadata = [
    'SELECT NULL::VARCHAR AS run, NULL::VARCHAR AS file_name, NULL::BLOB AS key, NULL::BLOB AS value WHERE false',
    ...(files.length === 0
      ? []
      : [
          `SELECT run, file_name, key, value FROM parquet_kv_metadata(${quoteList(files)}) JOIN run_files ON run_file = file_name`,
        ]),
    ...sources
      .filter(source => source.parquet !== undefined && !isJoined(source))
      .map(
        ({ run, parquet }) =>
          `SELECT ${quoteLiteral(run)} AS run, file_name, key, value FROM parquet_kv_metadata(${quoteLiteral(parquet!)})`,
      ),
  ];
  const values = METADATA.map(([column, type, key]) => {
    const text = `max(decode(value)) FILTER (decode(key) = ${quoteLiteral(key)})`;
    return `${type === 'VARCHAR[]' ? `CAST(${text} AS JSON)::VARCHAR[]` : `TRY_CAST(${text} AS ${type})`} AS ${column}`;
  });
  const names = runNames.join(', ');
  return `CREATE VIEW runs AS SELECT ${names}, ${values.join(', ')}, count(DISTINCT file_name) AS files
    FROM run_files LEFT JOIN (${metadata.join(' UNION ALL ')}) USING (run) GROUP BY ${names} ORDER BY run`;
}

/** Quotes a column name. */
export function quoteName(column: string): string {
  return `"${column.replaceAll('"', '""')}"`;
}
