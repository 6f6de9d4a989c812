/**
 * `servelens-reader query` beside DuckDB itself, on the same SQL over the same Parquet file; each query is a process of its own,
 * from its start to its end.
 * Usage: node benchmarks/dist/query.js [--rows 50000000] [--repeat 3]
 *
 * Prints one JSON line a figure; seconds are the median of the repeats. Makes the file in a temporary folder and removes it.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { type Child, runNode } from './validate/child.ts';
import { makeParquet } from './validate/files.ts';

const options = yargs(hideBin(argv))
  .option('rows', { type: 'number', default: 50_000_000, describe: 'About how many rows' })
  .option('repeat', { type: 'number', default: 3, describe: 'How often each query runs' })
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

/** Questions of users; FROM is the view or the file. */
const QUERIES: Readonly<Record<string, string>> = {
  'all rows': 'SELECT metric_name, count(*) AS n, avg(bucket_count) AS mean FROM $ GROUP BY ALL',
  'one metric':
    "SELECT endpoint_url, avg(value) AS mean, max(value) AS most FROM $ WHERE metric_name = 'vllm:num_requests_running' GROUP BY ALL",
  quantiles: `SELECT endpoint_url, bucket_le, max(bucket_count) AS n FROM $ WHERE metric_type = 'histogram' GROUP BY ALL`,
};

const folder = mkdtempSync(join(tmpdir(), 'servelens-query-'));
try {
  const file = join(folder, 'server_metrics_export.parquet');
  const rows = await makeParquet(file, options.rows);
  for (const [name, sql] of Object.entries(QUERIES)) await measure(name, sql, file, rows);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure(name: string, sql: string, file: string, rows: number): Promise<void> {
  const ours: Child[] = [];
  const theirs: Child[] = [];
  for (let i = 0; i < options.repeat; i++) {
    ours.push(await runNode([BIN, 'query', file, sql.replace('$', 'rows'), '--format', 'csv']));
    theirs.push(
      await runNode(['--input-type=module', '-e', DUCKDB, sql.replace('$', `read_parquet('${file}')`)]),
    );
  }
  const broken = [...ours, ...theirs].find(({ code }) => code !== 0);
  if (broken) throw new Error(`${name} ended with ${broken.code}: ${broken.stdout}`);
  const [own, peer] = [median(ours), median(theirs)];
  print({ query: name, figure: 'seconds', value: round(own), rows });
  print({ query: name, figure: 'duckdb_seconds', value: round(peer), rows });
  print({ query: name, figure: 'seconds_more_than_duckdb', value: round(own - peer), rows });
  print({
    query: name,
    figure: 'peak_mb',
    value: Math.round(Math.max(...ours.map(({ peakMb }) => peakMb))),
    rows,
  });
}

function median(children: readonly Child[]): number {
  const seconds = children.map(child => child.seconds).sort((a, b) => a - b);
  return seconds[Math.floor(seconds.length / 2)]!;
}

function round(seconds: number): number {
  return Number(seconds.toFixed(3));
}

function print(figure: Readonly<Record<string, unknown>>): void {
  console.log(JSON.stringify({ bench: 'query', ...figure, load: round(loadavg()[0]!) }));
}
