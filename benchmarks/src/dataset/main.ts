/**
 * Measures the dataset of many runs: its size and number of files, the time that `servelens read dataset` takes, and the time
 * of SQL queries over it, compared with the same queries over the Parquet files of the runs. Each query runs in a separate
 * process and is timed from its start to its exit.
 *
 * One run of a simulated server is recorded and copied. Prints one JSON line per figure. All files are removed at the end,
 * unless `--keep` is set.
 *
 * Usage: npm run bench -- dataset [--runs 1000] [--seconds 20] [--repeat 3] [--keep FOLDER]
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { startServer } from '../loadgen/serverProcess.ts';
import { type ProcessResult, runNode } from '../measure/measuredProcess.ts';
import { computeMedian, round } from '../measure/numbers.ts';

const options = yargs(hideBin(argv))
  .option('runs', { type: 'number', default: 1000, describe: 'Number of runs' })
  .option('seconds', { type: 'number', default: 20, describe: 'Duration of the recorded run in seconds' })
  .option('repeat', { type: 'number', default: 3, describe: 'Number of repeats per query' })
  .option('keep', { type: 'string', describe: 'Folder for the files, which are then not removed' })
  .strict()
  .parseSync();

const CLI = fileURLToPath(new URL('../../../apps/cli/bin/servelens.js', import.meta.url));

/** Queries over all runs. */
const QUERIES: Readonly<Record<string, string>> = {
  'one metric':
    "SELECT run, max(value) AS most FROM samples WHERE metric_name = 'vllm:num_requests_running' GROUP BY run",
  'increases of all counters':
    "SELECT run, endpoint_url, metric_name, increase(value, timestamp_ns) AS total FROM samples WHERE metric_type = 'counter' GROUP BY ALL",
  'quantiles of all histograms':
    'SELECT run, endpoint_url, metric_name, histogram_quantile(0.99, le, bucket_count) AS p99 FROM buckets GROUP BY ALL',
  'one run': "SELECT metric_name, avg(value) AS mean FROM samples WHERE run LIKE '%run-7' GROUP BY ALL",
};

const folder = options.keep ?? mkdtempSync(join(tmpdir(), 'servelens-dataset-'));
mkdirSync(folder, { recursive: true });
try {
  const runs = await recordRuns();
  const dataset = join(folder, 'dataset');
  const written = await run(['read', 'dataset', ...runs, '--output', dataset, '--quiet']);
  print('write', { seconds: round(written.seconds, 1), peak_mb: round(written.peakMb) });
  printSize('runs', join(folder, 'runs'));
  printSize('dataset', dataset);
  for (const [name, sql] of Object.entries(QUERIES)) {
    await measureQuery(name, 'dataset', [dataset], sql);
    await measureQuery(name, 'runs', runs, sql);
  }
} finally {
  if (options.keep === undefined) rmSync(folder, { recursive: true, force: true });
}

/** Records a run, and copies it. Returns the folders of the runs. */
async function recordRuns(): Promise<string[]> {
  const first = join(folder, 'runs', 'run-0');
  const simulator = await startServer('simulatorServer.js', '20', '256');
  try {
    await run([
      ...['profile', '--model', 'm', '--tokenizer', 'builtin', '--url', simulator.url, '--streaming'],
      ...[
        '--request-rate',
        '20',
        '--benchmark-duration',
        String(options.seconds),
        '--isl',
        '50',
        '--osl',
        '20',
      ],
      ...['--server-metrics-formats', 'json', 'parquet', '--ui', 'none', '--artifact-dir', first],
    ]);
  } finally {
    simulator.stop();
  }
  return Array.from({ length: options.runs }, (_, index) => {
    const copy = join(folder, 'runs', `run-${index}`);
    if (index > 0) cpSync(first, copy, { recursive: true });
    return copy;
  });
}

async function measureQuery(
  name: string,
  source: string,
  paths: readonly string[],
  sql: string,
): Promise<void> {
  const results: ProcessResult[] = [];
  for (let repeat = 0; repeat < options.repeat; repeat++)
    results.push(await run(['read', 'query', ...paths, sql, '--format', 'csv']));
  print('query', {
    query: name,
    source,
    seconds: round(computeMedian(results.map(({ seconds }) => seconds)), 2),
    peak_mb: round(Math.max(...results.map(({ peakMb }) => peakMb))),
    rows: results[0]!.stdout.trimEnd().split('\n').length - 1,
  });
}

function printSize(source: string, path: string): void {
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
  const parquet = files.filter(({ name }) => name.endsWith('.parquet'));
  const bytes = parquet.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
  print('size', { source, parquet_files: parquet.length, parquet_mb: round(bytes / 1e6, 1) });
}

async function run(args: readonly string[]): Promise<ProcessResult> {
  const result = await runNode([CLI, ...args]);
  if (result.code !== 0)
    throw new Error(`servelens ${args[0]} ${args[1]} exited with ${result.code}: ${result.stderr}`);
  return result;
}

function print(figure: string, fields: Readonly<Record<string, unknown>>): void {
  const context = { runs: options.runs, load: round(loadavg()[0]!, 2) };
  console.log(JSON.stringify({ bench: 'dataset', figure, ...fields, ...context }));
}
