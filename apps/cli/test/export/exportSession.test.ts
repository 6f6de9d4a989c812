import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ServerMetricsDocument, validate } from '@org/formats';
import {
  buildParquetMetadata,
  openServerMetricsParquet,
  readServerMetricsParquet,
} from '@org/formats/parquet';
import { fromPath, readServerMetricsJson } from '@org/formats/read';
import { beforeAll, expect, test } from 'vitest';
import { BIN, runServelens } from '../support/servelens.ts';
import { startSimulator } from '../support/simulator.ts';
import { makeSuiteFolder } from '../support/temporaryFolder.ts';

const ALL_FORMATS = ['json', 'csv', 'jsonl', 'parquet'];
const TEXT_EXPORTS = [
  'server_metrics_export.csv',
  'server_metrics_export.json',
  'server_metrics_export.jsonl',
];

const { url } = await startSimulator({ seed: 9, arrivalRate: 40 });
const folder = makeSuiteFolder();
/** Folder of a run with all formats and its journal. */
const run = join(folder, 'run');

beforeAll(async () => {
  const endpoints = ['--url', url, '--server-metrics', '127.0.0.1:9', '--artifact-dir', run];
  const phases = ['--duration', '1.5', '--warmup-duration', '0.4', '--slice-duration', '0.5'];
  const { code, err } = await runServelens(
    ['collect', ...endpoints, ...phases, '--keep-journal', '--server-metrics-formats', ...ALL_FORMATS],
    {
      cwd: folder,
      env: {
        AIPERF_SERVER_METRICS_COLLECTION_INTERVAL: '0.05',
        AIPERF_SERVER_METRICS_COLLECTION_FLUSH_PERIOD: '0.2',
      },
    },
  );
  expect(code, err).toBe(0);
});

test('validate accepts every file of the run, including its journal', () => {
  const { status, stdout } = spawnSync(process.execPath, [BIN, 'validate', '--strict', run], {
    encoding: 'utf8',
  });
  expect({ status, stdout }).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/\.journal {2}journal$/m),
  });
  expect(stdout).toMatch(/5 files: 5 valid, 0 invalid/);
});

/** Copies the files of the run that have one of the extensions to a new folder. Returns the new folder. */
function copyRun(name: string, ...extensions: string[]): string {
  const target = join(folder, name);
  mkdirSync(target);
  for (const file of readdirSync(run))
    if (extensions.some(extension => file.endsWith(`.${extension}`)))
      cpSync(join(run, file), join(target, file));
  return target;
}

/** Runs `servelens export` in the folder. */
async function reexport(...args: string[]): ReturnType<typeof runServelens> {
  return runServelens(['export', ...args], { cwd: folder });
}

/** Exports a run to a new folder. Returns the folder. */
async function exportTo(name: string, source: string, ...options: string[]): Promise<string> {
  const output = join(folder, name);
  const { code, err } = await reexport(source, '--output', output, ...options);
  expect(code, err).toBe(0);
  return output;
}

function readText(path: string, name: string): string {
  return readFileSync(join(path, name), 'utf8');
}

async function readDocument(path: string): Promise<ServerMetricsDocument> {
  return (await readServerMetricsJson(
    fromPath(join(path, 'server_metrics_export.json')),
  )) as ServerMetricsDocument;
}

async function readParquetRows(path: string): Promise<unknown[]> {
  const reader = await readServerMetricsParquet(join(path, 'server_metrics_export.parquet'));
  const groups: unknown[] = [];
  for await (const { rows, columns } of reader) groups.push(rows, [...columns.entries()]);
  return groups;
}

test('text exports from the journal are byte-identical, and Parquet exports have the same rows', async () => {
  const output = await exportTo('from-journal', copyRun('journal-only', 'journal'));
  for (const name of TEXT_EXPORTS) expect(readText(output, name), name).toBe(readText(run, name));
  expect(await readParquetRows(output)).toEqual(await readParquetRows(run));
});

test('exports from Parquet have the same statistics and rows', async () => {
  const output = await exportTo('from-parquet', copyRun('parquet-only', 'parquet'));
  expect(readdirSync(output).sort()).toEqual([
    'server_metrics_export.csv',
    'server_metrics_export.json',
    'server_metrics_export.parquet',
  ]);
  const { warmup_metrics: _, ...expected } = await readDocument(run);
  expectClose(await readDocument(output), expected);
  expect(await readParquetRows(output)).toEqual(await readParquetRows(run));
  for (const name of readdirSync(output))
    expect((await validate(fromPath(join(output, name)))).issues, name).toEqual([]);
});

test('exports from Parquet are the same with a small memory limit', async () => {
  const small = await exportTo('small-limit', run, '--from', 'parquet', '--memory-limit', '1MiB');
  const large = await exportTo('large-limit', run, '--from', 'parquet');
  expect(readText(small, 'server_metrics_export.json')).toBe(readText(large, 'server_metrics_export.json'));
});

test('counters in a Parquet export of another program count from the start of profiling, with a warning', async () => {
  const target = join(folder, 'foreign');
  mkdirSync(target);
  const start = 1_765_793_061_000_000_000n;
  const path = join(target, 'server_metrics_export.parquet');
  const metadata = buildParquetMetadata({
    version: '0.4.0',
    benchmarkId: '6f6f4f0c-0000-4000-8000-000000000000',
    exportTime: new Date(),
    timeFilterStartNs: start,
    timeFilterEndNs: start + 10_000_000_000n,
    endpointUrls: ['http://a:1/metrics'],
    labelColumns: [],
    metricTypeCounts: { counter: 1 },
    modelNames: [],
    inputConfig: {},
    hostname: 'h',
  });
  const writer = await openServerMetricsParquet(path, { labelColumns: [], metadata });
  await writer.appendSeries({
    endpointUrl: 'http://a:1/metrics',
    metricName: 'requests',
    metricType: 'counter',
    unit: 'requests',
    description: '',
    labels: [],
    timestampsNs: BigInt64Array.of(start + 1_000_000_000n, start + 5_000_000_000n),
    values: Float64Array.of(10, 50),
  });
  await writer.close();
  const output = join(folder, 'from-foreign');
  const { code, err } = await reexport(target, '--output', output);
  expect(code, err).toBe(0);
  expect(err).toContain('the file does not record reference samples');
  expect(err).toContain('endpoint_info covers only the scrapes in this file');
  const { metrics, summary } = await readDocument(output);
  expect(metrics.requests!.series[0]!.stats).toMatchObject({ total: 50, rate: expect.closeTo(10, 6) });
  expect(summary.endpoints_successful).toEqual(['http://a:1/metrics']);
  expect((await validate(fromPath(join(output, 'server_metrics_export.json')))).valid).toBe(true);
});

test('exports from JSONL and JSON have the same lines and the same statistics', async () => {
  const output = await exportTo('from-jsonl', copyRun('jsonl-only', 'jsonl', 'json'));
  expect(readText(output, 'server_metrics_export.jsonl')).toBe(readText(run, 'server_metrics_export.jsonl'));
  expectClose(await readDocument(output), await readDocument(run));
});

test('exports another time range, and records it in the JSON export', async () => {
  const output = await exportTo('window', run, '--start', '0.5', '--end', '1', '--slice-duration', 'none');
  const { summary, metrics } = await readDocument(output);
  const runSummary = (await readDocument(run)).summary;
  expect(summary.profiling_start_ns).toBe(runSummary.profiling_start_ns! + 500_000_000n);
  expect(summary.profiling_end_ns).toBe(runSummary.profiling_start_ns! + 1_000_000_000n);
  expect(summary.exported_window).toEqual({
    run_profiling_start_ns: runSummary.profiling_start_ns,
    run_profiling_end_ns: runSummary.profiling_end_ns,
  });
  for (const { series } of Object.values(metrics))
    for (const entry of series) expect(entry).not.toHaveProperty('timeslices');
  for (const name of readdirSync(output))
    expect((await validate(fromPath(join(output, name)))).issues, name).toEqual([]);
  const parquet = await exportTo(
    'window-parquet',
    run,
    ...['--from', 'parquet', '--window', '0.5..1', '--slice-duration', 'none'],
  );
  expectClose({ metrics: (await readDocument(parquet)).metrics }, { metrics });
});

test('exports of the whole run include the warm-up', async () => {
  const wholeRun = await readDocument(await exportTo('whole-run', run, '--window', 'run'));
  expect(getGeneratedTokens(wholeRun)).toBeGreaterThan(getGeneratedTokens(await readDocument(run)));
});

function getGeneratedTokens({ metrics }: ServerMetricsDocument): number {
  return (metrics['vllm:generation_tokens']!.series[0]!.stats as { total: number }).total;
}

test('exports with another percentile method, other formats and other timeslices', async () => {
  const output = await exportTo(
    'other-options',
    run,
    ...['--formats', 'csv,json', '--percentile-method', 'linear', '--slice-duration', '0.3'],
  );
  expect(readdirSync(output).sort()).toEqual(TEXT_EXPORTS.slice(0, 2));
  const { metrics } = await readDocument(output);
  expect(metrics['vllm:num_requests_running']!.series[0]!.timeslices!.length).toBeGreaterThan(4);
  expect(readText(output, 'server_metrics_export.csv')).not.toBe(readText(run, 'server_metrics_export.csv'));
});

test('selects a run by the prefix of its files', async () => {
  const target = copyRun('prefixed', 'parquet');
  cpSync(join(target, 'server_metrics_export.parquet'), join(target, 'mine_server_metrics.parquet'));
  const { code, err } = await reexport(target, '--output', join(folder, 'unused'));
  expect(code).toBe(2);
  expect(err).toContain(
    'contains several runs: mine_server_metrics.*, server_metrics_export.*; select one by its prefix',
  );
  const output = await exportTo('prefix', target, '--prefix', 'mine', '--formats', 'csv');
  expect(readdirSync(output)).toEqual(['mine_server_metrics.csv']);
  const fromFile = await exportTo('named', join(target, 'mine_server_metrics.parquet'), '--formats', 'csv');
  expect(readdirSync(fromFile)).toEqual(['mine_server_metrics.csv']);
});

test('never overwrites exports in the folder of the run', async () => {
  const target = copyRun('same', 'journal', 'csv');
  const { code, err } = await reexport(target);
  expect(code).toBe(2);
  expect(err).toContain(
    'server_metrics_export.csv already exists; set --output to another folder, or export other --formats',
  );
  expect((await reexport(target, '--formats', 'jsonl')).code).toBe(0);
  expect(existsSync(join(target, 'server_metrics_export.jsonl'))).toBe(true);
});

test.each([
  [['json'], [], /found only statistics and no samples, in .*; samples are in a kept journal, in a Parquet/],
  [['csv'], [], /no journal, Parquet, JSONL or JSON export in/],
  [['jsonl'], [], /types and units of its metrics are in the JSON export, which is missing from/],
  [['json', 'parquet'], ['--from', 'journal'], /no journal in/],
  [['parquet'], ['--formats', 'jsonl'], /cannot write JSONL from a Parquet export/],
  [['parquet'], ['--window', 'run'], /exceeds the profiling period/],
  [['journal'], ['--start', '5', '--end', '3'], /the time range ends 2 s before its start/],
  [
    ['journal'],
    ['--start', 'noon'],
    /invalid --start "noon": expected seconds relative to the start of profiling/,
  ],
  [['journal'], ['--window', '5'], /invalid --window "5": expected START\.\.END, profiling, run, warmup/],
  [['journal'], ['--window', '1..2', '--end', '3'], /cannot use both --window and --end/],
  [['journal'], ['--formats', 'xml'], /invalid --formats "xml": expected one of json, csv, jsonl, parquet$/m],
  [['journal'], ['--slice-duration', 'abc'], /invalid --slice-duration "abc": expected a number of seconds/],
])('rejects a folder with %j and options %j, and exits with 2', async (extensions, options, message) => {
  const name = `rejected-${[...extensions, ...options].join('')}`.replaceAll(/[^\w-]/g, '');
  const { code, err } = await reexport(
    copyRun(name, ...extensions),
    ...['--output', join(folder, 'unused'), ...options],
  );
  expect(err).toMatch(message);
  expect(code).toBe(2);
});

test('the error names a file that cannot be read', async () => {
  const target = join(folder, 'truncated');
  mkdirSync(target);
  writeFileSync(join(target, 'server_metrics_export.parquet'), 'PAR1 truncated');
  const { code, err } = await reexport(target);
  expect(code).toBe(2);
  expect(err).toMatch(/cannot export from .*server_metrics_export\.parquet/);
});

/** Expects equal values. Numbers may differ by a relative rounding error of 1e-9, and percentile estimates of 1e-6. */
function expectClose(actual: unknown, expected: unknown, path = ''): void {
  if (typeof expected === 'number' && typeof actual === 'number') {
    const tolerance = /estimate|percentile/.test(path) ? 1e-6 : 1e-9;
    if (Math.abs(actual - expected) > Math.max(Math.abs(expected), 1) * tolerance)
      expect(actual, path).toBe(expected);
    return;
  }
  if (typeof expected !== 'object' || expected === null || typeof actual !== 'object' || actual === null) {
    expect(actual, path).toEqual(expected);
    return;
  }
  expect(Object.keys(actual), path).toEqual(Object.keys(expected));
  for (const key of Object.keys(expected))
    expectClose(
      (actual as Record<string, unknown>)[key],
      (expected as Record<string, unknown>)[key],
      `${path}/${key}`,
    );
}

test('--json lists the written files, and --quiet omits notes', async () => {
  const target = join(folder, 'listed "x"');
  const { code, out, err } = await reexport(
    run,
    '--artifact-dir',
    target,
    '--formats',
    'csv',
    '--json',
    '-q',
  );
  expect([code, err]).toEqual([0, '']);
  const { files, failed } = JSON.parse(out);
  const path = join(target, 'server_metrics_export.csv');
  expect(files).toEqual([{ path, format: 'csv', bytes: readFileSync(path).length }]);
  expect(failed).toEqual([]);
});
