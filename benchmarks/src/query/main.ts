/**
 * Compares `servelens-reader query` with DuckDB alone, for the same SQL and the same Parquet file. Each query
 * runs in a separate process and is timed from its start to its exit.
 *
 * Prints one JSON line per figure; seconds are the median of the repeats. The file is created in a temporary
 * folder and removed at the end.
 *
 * Usage: npm run bench -- query [--rows 50000000] [--repeat 3]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { writeParquet } from '../exports/exportFiles.ts';
import { type ProcessResult, runNode } from '../measure/measuredProcess.ts';
import { computeMedian, round } from '../measure/numbers.ts';

const options = yargs(hideBin(argv))
  .option('rows', { type: 'number', default: 50_000_000, describe: 'Approximate number of rows' })
  .option('repeat', { type: 'number', default: 3, describe: 'Number of repeats per query' })
  .strict()
  .parseSync();

const READER = import.meta.resolve('@org/reader');
const BIN = fileURLToPath(READER.replace(/dist\/index\.js$/, 'bin/servelens-reader.js'));
const DUCKDB = `
  const { createRequire } = await import('node:module');
  const { DuckDBInstance } = createRequire(${JSON.stringify(READER)})('@duckdb/node-api');
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const reader = await connection.runAndReadAll(process.argv[1]);
  console.log(reader.getRows().length);`;

/** Typical queries. `$` is replaced with the view `rows`, or for DuckDB alone with a call of `read_parquet`. */
const QUERIES: Readonly<Record<string, string>> = {
  'all rows': 'SELECT metric_name, count(*) AS n, avg(bucket_count) AS mean FROM $ GROUP BY ALL',
  'one metric':
    "SELECT endpoint_url, avg(value) AS mean, max(value) AS most FROM $ WHERE metric_name = 'vllm:num_requests_running' GROUP BY ALL",
  quantiles: `SELECT endpoint_url, bucket_le, max(bucket_count) AS n FROM $ WHERE metric_type = 'histogram' GROUP BY ALL`,
};

const folder = mkdtempSync(join(tmpdir(), 'servelens-query-'));
try {
  const file = join(folder, 'server_metrics_export.parquet');
  const rows = await writeParquet(file, options.rows);
  for (const [name, sql] of Object.entries(QUERIES)) await measure(name, sql, file, rows);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure(name: string, sql: string, file: string, rows: number): Promise<void> {
  const servelensRuns: ProcessResult[] = [];
  const duckdbRuns: ProcessResult[] = [];
  for (let i = 0; i < options.repeat; i++) {
    servelensRuns.push(await runNode([BIN, 'query', file, sql.replace('$', 'rows'), '--format', 'csv']));
    duckdbRuns.push(
      await runNode(['--input-type=module', '-e', DUCKDB, sql.replace('$', `read_parquet('${file}')`)]),
    );
  }
  const failed = [...servelensRuns, ...duckdbRuns].find(({ code }) => code !== 0);
  if (failed)
    throw new Error(`query ${JSON.stringify(name)} exited with code ${failed.code}: ${failed.stdout}`);
  const [servelensSeconds, duckdbSeconds] = [getMedianSeconds(servelensRuns), getMedianSeconds(duckdbRuns)];
  print({ query: name, figure: 'seconds', value: round(servelensSeconds, 3), rows });
  print({ query: name, figure: 'duckdb_seconds', value: round(duckdbSeconds, 3), rows });
  print({
    query: name,
    figure: 'seconds_more_than_duckdb',
    value: round(servelensSeconds - duckdbSeconds, 3),
    rows,
  });
  print({
    query: name,
    figure: 'peak_mb',
    value: Math.round(Math.max(...servelensRuns.map(({ peakMb }) => peakMb))),
    rows,
  });
}

function getMedianSeconds(results: readonly ProcessResult[]): number {
  return computeMedian(results.map(({ seconds }) => seconds));
}

function print(figure: Readonly<Record<string, unknown>>): void {
  console.log(JSON.stringify({ bench: 'query', ...figure, load: round(loadavg()[0]!, 3) }));
}
