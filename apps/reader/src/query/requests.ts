import { dirname } from 'node:path';
import { findRunFiles, RunError, type RunFiles } from '@org/analysis/files';
import { isGlob, isRemote, type RowSource } from './rowSource.ts';
import type { RunColumn } from './runColumns.ts';
import { quoteLiteral, quoteName } from './views.ts';

/** The columns of the view `requests` that describe the request: name, SQL type, field of the metadata. */
const METADATA = [
  ['phase', 'VARCHAR', 'benchmark_phase'],
  ['request_id', 'VARCHAR', 'x_request_id'],
  ['conversation_id', 'VARCHAR', 'conversation_id'],
  ['turn_index', 'BIGINT', 'turn_index'],
  ['start_ns', 'BIGINT', 'request_start_ns'],
  ['end_ns', 'BIGINT', 'request_end_ns'],
  ['was_cancelled', 'BOOLEAN', 'was_cancelled'],
  ['url_index', 'BIGINT', 'url_index'],
] as const;

/** The columns of the view `requests` that describe the metric: name, SQL type. */
const METRIC = [
  ['error', 'VARCHAR'],
  ['metric_name', 'VARCHAR'],
  ['unit', 'VARCHAR'],
  ['value', 'DOUBLE'],
  ['value_list', 'DOUBLE[]'],
] as const;

/** Maximum length of a line, in bytes. */
const MAX_LINE_BYTES = 1 << 26;

/**
 * Returns the statement that creates the view `requests`: all metrics of all requests, from the JSONL files of the load
 * generator. A request without metrics has one row. Lines that are not valid are skipped.
 */
export async function createRequestsView(
  sources: readonly RowSource[],
  runColumns: readonly RunColumn[],
): Promise<string> {
  const files = await Promise.all(sources.map(source => findRunFile(source, 'requests')));
  const runs = sources.flatMap(({ run }, index) => {
    const file = files[index];
    return file === undefined ? [] : [[run, file] as const];
  });
  const runNames = ['run', ...runColumns.map(({ name }) => quoteName(name))];
  const rows = runs.length === 0 ? selectNothing() : selectRequests(runs);
  return `CREATE VIEW requests AS SELECT ${runNames.map(name => `runs.${name}`).join(', ')}, requests.* EXCLUDE (run)
    FROM (${rows}) requests JOIN run_files runs ON runs.run = requests.run`;
}

/** Finds a file of a run, next to its samples. */
export async function findRunFile(
  { run, parquet }: RowSource,
  kind: 'requests' | 'gpuTelemetry',
): Promise<string | undefined> {
  if (isRemote(run) || isGlob(run)) return undefined;
  const folders = run === parquet ? [dirname(run)] : [run, ...(parquet ? [dirname(parquet)] : [])];
  for (const folder of folders) {
    const files: RunFiles = await findRunFiles(folder).catch((error: unknown) => {
      if (error instanceof RunError || (error as NodeJS.ErrnoException).syscall !== undefined) return {};
      throw error;
    });
    if (files[kind] !== undefined) return files[kind];
  }
  return undefined;
}

/** Selects the requests of all runs with one scan, because DuckDB plans a union of hundreds of files slowly. */
function selectRequests(runs: readonly (readonly [run: string, file: string])[]): string {
  const fields = METADATA.map(([, type, field]) => `${field} ${type}`).join(', ');
  const columns = METADATA.map(([name, , field]) => `metadata.${field} AS ${name}`).join(', ');
  const files = [...new Set(runs.map(([, file]) => quoteLiteral(file)))].join(', ');
  const names = runs.map(([run, file]) => `(${quoteLiteral(run)}, ${quoteLiteral(file)})`).join(', ');
  return `SELECT run, ${columns}, error->>'type' AS error,
      entry.key AS metric_name, entry.value.unit AS unit,
      TRY_CAST(entry.value.value AS DOUBLE) AS value, TRY_CAST(entry.value.value AS DOUBLE[]) AS value_list
    FROM (
      SELECT *, unnest(if(cardinality(metrics) > 0, map_entries(metrics), [NULL])) AS entry
      FROM read_json([${files}], format = 'newline_delimited', ignore_errors = true,
        maximum_object_size = ${MAX_LINE_BYTES}, filename = 'run_file', columns = {
          metadata: 'STRUCT(${fields})',
          metrics: 'MAP(VARCHAR, STRUCT(value JSON, unit VARCHAR))',
          error: 'JSON'
        })
      WHERE metadata IS NOT NULL
    ) JOIN (VALUES ${names}) AS runs(run, run_file) USING (run_file)`;
}

/** Selects no rows, with the columns of the view, for runs without requests. */
function selectNothing(): string {
  const columns = [['run', 'VARCHAR'], ...METADATA, ...METRIC] as const;
  return `SELECT ${columns.map(([name, type]) => `NULL::${type} AS ${name}`).join(', ')} WHERE false`;
}
