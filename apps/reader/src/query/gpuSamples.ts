import { findRunFile } from './requests.ts';
import type { RowSource } from './rowSource.ts';
import type { RunColumn } from './runColumns.ts';
import { quoteLiteral, quoteName } from './views.ts';

/** The columns of the view `gpu_samples` that describe the sample: name, SQL type, expression. */
const COLUMNS = [
  ['source', 'VARCHAR', 'coalesce(telemetry_source_url, dcgm_url)'],
  ['hostname', 'VARCHAR', 'hostname'],
  ['gpu_index', 'BIGINT', 'gpu_index'],
  ['gpu_uuid', 'VARCHAR', 'gpu_uuid'],
  ['gpu_name', 'VARCHAR', 'gpu_model_name'],
  ['timestamp_ns', 'BIGINT', 'timestamp_ns'],
  ['metric_name', 'VARCHAR', 'entry.key'],
  ['value', 'DOUBLE', 'entry.value'],
] as const;

/** The fields of a line of gpu_telemetry_export.jsonl that the view needs. */
const FIELDS: Readonly<Record<string, string>> = {
  telemetry_source_url: 'VARCHAR',
  dcgm_url: 'VARCHAR',
  hostname: 'VARCHAR',
  gpu_index: 'BIGINT',
  gpu_uuid: 'VARCHAR',
  gpu_model_name: 'VARCHAR',
  timestamp_ns: 'BIGINT',
  telemetry_data: 'MAP(VARCHAR, DOUBLE)',
};

/**
 * Returns the statement that creates the view `gpu_samples`: all metrics of all samples of GPUs, from the JSONL files of the
 * GPU telemetry. Lines that are not valid are skipped.
 */
export async function createGpuSamplesView(
  sources: readonly RowSource[],
  runColumns: readonly RunColumn[],
): Promise<string> {
  const files = await Promise.all(sources.map(source => findRunFile(source, 'gpuTelemetry')));
  const runs = sources.flatMap(({ run }, index) => {
    const file = files[index];
    return file === undefined ? [] : [[run, file] as const];
  });
  const runNames = ['run', ...runColumns.map(({ name }) => quoteName(name))];
  const rows = runs.length === 0 ? selectNothing() : selectSamples(runs);
  return `CREATE VIEW gpu_samples AS SELECT ${runNames.map(name => `runs.${name}`).join(', ')}, gpus.* EXCLUDE (run)
    FROM (${rows}) gpus JOIN run_files runs ON runs.run = gpus.run`;
}

function selectSamples(runs: readonly (readonly [run: string, file: string])[]): string {
  const fields = Object.entries(FIELDS).map(([name, type]) => `${name}: '${type}'`);
  const columns = COLUMNS.map(([name, , expression]) => `${expression} AS ${name}`).join(', ');
  const files = [...new Set(runs.map(([, file]) => quoteLiteral(file)))].join(', ');
  const names = runs.map(([run, file]) => `(${quoteLiteral(run)}, ${quoteLiteral(file)})`).join(', ');
  return `SELECT run, ${columns}
    FROM (
      SELECT *, unnest(map_entries(telemetry_data)) AS entry
      FROM read_json([${files}], format = 'newline_delimited', ignore_errors = true,
        filename = 'run_file', columns = {${fields.join(', ')}})
      WHERE timestamp_ns IS NOT NULL
    ) JOIN (VALUES ${names}) AS runs(run, run_file) USING (run_file)`;
}

/** Selects no rows, with the columns of the view, for runs without GPUs. */
function selectNothing(): string {
  const columns = [['run', 'VARCHAR'], ...COLUMNS] as const;
  return `SELECT ${columns.map(([name, type]) => `NULL::${type} AS ${name}`).join(', ')} WHERE false`;
}
