import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ServerMetricsDocument, validate } from '@org/formats';
import {
  buildParquetMetadata,
  openServerMetricsParquet,
  readServerMetricsParquet,
} from '@org/formats/parquet';
import { readServerMetricsJson } from '@org/formats/read';
import { createSimulator, type Simulator } from '@org/simulator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { main } from '../../src/main.ts';
import { testIo } from '../io.ts';

const FAST = {
  AIPERF_SERVER_METRICS_COLLECTION_INTERVAL: '0.05',
  AIPERF_SERVER_METRICS_COLLECTION_FLUSH_PERIOD: '0.2',
};
const ALL = ['json', 'csv', 'jsonl', 'parquet'];
const TEXTS = ['server_metrics_export.csv', 'server_metrics_export.json', 'server_metrics_export.jsonl'];

let simulator: Simulator;
let folder = '';
/** Folder of a run with all formats and its journal. */
let run = '';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'export-'));
  run = join(folder, 'run');
  simulator = createSimulator({ seed: 9, arrivalRate: 40 });
  const { url } = await simulator.listen(0);
  const io = testIo(folder, FAST);
  const where = ['--url', url, '--server-metrics', '127.0.0.1:9', '--artifact-dir', run];
  const when = ['--duration', '1.5', '--warmup-duration', '0.4', '--slice-duration', '0.5'];
  const code = await main(
    ['collect', ...where, ...when, '--keep-journal', '--server-metrics-formats', ...ALL],
    io,
  );
  expect(code, io.err.join('')).toBe(0);
});
afterAll(async () => {
  await simulator.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Copies the files of the run that have one of the extensions. */
function copy(name: string, ...kinds: string[]): string {
  const target = join(folder, name);
  mkdirSync(target);
  for (const file of readdirSync(run))
    if (kinds.some(kind => file.endsWith(`.${kind}`))) cpSync(join(run, file), join(target, file));
  return target;
}

async function exported(from: string, name: string, ...options: string[]): Promise<string> {
  const output = join(folder, name);
  const io = testIo(folder);
  const code = await main(['export', from, '--output', output, ...options], io);
  expect(code, io.err.join('')).toBe(0);
  return output;
}

const read = (path: string, name: string): string => readFileSync(join(path, name), 'utf8');
const documentIn = async (path: string): Promise<ServerMetricsDocument> =>
  (await readServerMetricsJson(join(path, 'server_metrics_export.json'))) as ServerMetricsDocument;

async function rowsIn(path: string): Promise<unknown[]> {
  const reader = await readServerMetricsParquet(join(path, 'server_metrics_export.parquet'));
  const rows: unknown[] = [];
  for await (const { rows: count, columns } of reader) rows.push(count, [...columns.entries()]);
  return rows;
}

test('exports from the journal are byte-identical', async () => {
  const again = await exported(copy('j', 'journal'), 'from-journal');
  for (const name of TEXTS) expect(read(again, name), name).toBe(read(run, name));
  expect(await rowsIn(again)).toEqual(await rowsIn(run));
});

test('exports from Parquet have the same statistics and rows', async () => {
  const again = await exported(copy('p', 'parquet'), 'from-parquet');
  expect(readdirSync(again).sort()).toEqual([
    'server_metrics_export.csv',
    'server_metrics_export.json',
    'server_metrics_export.parquet',
  ]);
  expectSame(await documentIn(again), await documentIn(run));
  expect(await rowsIn(again)).toEqual(await rowsIn(run));
  for (const name of readdirSync(again)) expect((await validate(join(again, name))).issues, name).toEqual([]);
});

test('exports from Parquet are the same with a small memory limit', async () => {
  const again = await exported(join(folder, 'p'), 'little', '--memory-limit', '1MiB', '--from', 'parquet');
  expect(read(again, 'server_metrics_export.json')).toBe(
    read(join(folder, 'from-parquet'), 'server_metrics_export.json'),
  );
});

test('exports from Parquet of another program count from the start of profiling, with a warning', async () => {
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
  const io = testIo(folder);
  const output = join(folder, 'from-foreign');
  expect(await main(['export', target, '--output', output], io), io.err.join('')).toBe(0);
  expect(io.err.join('')).toContain('the file does not record reference samples');
  expect(io.err.join('')).toContain('endpoint_info covers only the scrapes in this file');
  const { metrics, summary } = await documentIn(output);
  expect(metrics.requests!.series[0]!.stats).toMatchObject({ total: 50, rate: expect.closeTo(10, 6) });
  expect(summary.endpoints_successful).toEqual(['http://a:1/metrics']);
  expect((await validate(join(output, 'server_metrics_export.json'))).valid).toBe(true);
});

test('exports from JSONL have the same lines, and the same statistics except for info metrics', async () => {
  const again = await exported(copy('l', 'jsonl', 'json'), 'from-jsonl');
  expect(read(again, 'server_metrics_export.jsonl')).toBe(read(run, 'server_metrics_export.jsonl'));
  const [found, expected] = [await documentIn(again), await documentIn(run)];
  const metrics = Object.entries(expected.metrics).filter(([name]) => !name.endsWith('_info'));
  expectSame(found, { ...expected, metrics: Object.fromEntries(metrics) });
});

test('exports another time range, which the JSON records', async () => {
  const again = await exported(run, 'window', '--start', '0.5', '--end', '1', '--slice-duration', 'none');
  const { summary, metrics } = await documentIn(again);
  const whole = (await documentIn(run)).summary;
  expect(summary.profiling_start_ns).toBe(whole.profiling_start_ns! + 500_000_000n);
  expect(summary.profiling_end_ns).toBe(whole.profiling_start_ns! + 1_000_000_000n);
  expect(summary.exported_window).toEqual({
    run_profiling_start_ns: whole.profiling_start_ns,
    run_profiling_end_ns: whole.profiling_end_ns,
  });
  expect(JSON.stringify(metrics, shown)).not.toContain('timeslices');
  for (const name of readdirSync(again)) expect((await validate(join(again, name))).issues, name).toEqual([]);
  const parquet = await exported(
    run,
    'window-parquet',
    '--from',
    'parquet',
    '--window',
    '0.5..1',
    '--slice-duration',
    'none',
  );
  expectSame({ metrics: (await documentIn(parquet)).metrics }, { metrics });
});

test('exports of the whole run include the warm-up', async () => {
  const whole = (await documentIn(await exported(run, 'whole', '--window', 'run'))).metrics;
  const profiled = (await documentIn(run)).metrics;
  const total = (metrics: ServerMetricsDocument['metrics']): number =>
    (metrics['vllm:generation_tokens']!.series[0]!.stats as { total: number }).total;
  expect(total(whole)).toBeGreaterThan(total(profiled));
});

test('exports with another method, other formats and other timeslices', async () => {
  const again = await exported(
    run,
    'other',
    ...['--formats', 'csv,json', '--percentile-method', 'linear', '--slice-duration', '0.3'],
  );
  expect(readdirSync(again).sort()).toEqual(TEXTS.slice(0, 2));
  const { metrics } = await documentIn(again);
  expect(metrics['vllm:num_requests_running']!.series[0]!.timeslices!.length).toBeGreaterThan(4);
  expect(read(again, 'server_metrics_export.csv')).not.toBe(read(run, 'server_metrics_export.csv'));
});

test('selects a run by the prefix of its files', async () => {
  const target = copy('prefixed', 'parquet');
  const own = join(target, 'server_metrics_export.parquet');
  cpSync(own, join(target, 'mine_server_metrics.parquet'));
  const io = testIo(folder);
  expect(await main(['export', target, '--output', join(folder, 'x')], io)).toBe(2);
  expect(io.err.join('')).toContain(
    'contains the runs mine_server_metrics.*, server_metrics_export.*; select one with --prefix',
  );
  const again = await exported(target, 'prefix', '--prefix', 'mine', '--formats', 'csv');
  expect(readdirSync(again)).toEqual(['mine_server_metrics.csv']);
  const named = await exported(join(target, 'mine_server_metrics.parquet'), 'named', '--formats', 'csv');
  expect(readdirSync(named)).toEqual(['mine_server_metrics.csv']);
});

test('never overwrites exports in the folder of the run', async () => {
  const target = copy('same', 'journal', 'csv');
  const io = testIo(folder);
  expect(await main(['export', target], io)).toBe(2);
  expect(io.err.join('')).toContain('server_metrics_export.csv exists; choose another folder with --output');
  expect(await main(['export', target, '--formats', 'jsonl'], io)).toBe(0);
  expect(existsSync(join(target, 'server_metrics_export.jsonl'))).toBe(true);
});

test.each([
  [
    ['json'],
    [],
    /contains statistics but no samples; samples are in a journal \(collect --keep-journal\), in a Parquet/,
  ],
  [['csv'], [], /no journal, Parquet, JSONL or JSON export in/],
  [['jsonl'], [], /types and units of its metrics are in the JSON export, which is missing from/],
  [['json', 'parquet'], ['--from', 'journal'], /no journal source in/],
  [['parquet'], ['--formats', 'jsonl'], /cannot write JSONL from a Parquet export/],
  [['parquet'], ['--window', 'run'], /exceeds the profiling period/],
  [['journal'], ['--start', '5', '--end', '3'], /the time range ends 2 s before its start/],
  [
    ['journal'],
    ['--start', 'noon'],
    /invalid --start "noon": expected seconds relative to the start of profiling/,
  ],
  [['journal'], ['--window', '5'], /invalid --window "5": expected START\.\.END, profiling, run, warmup/],
  [['journal'], ['--window', '1..2', '--end', '3'], /cannot use --window together with --start or --end/],
  [['journal'], ['--formats', 'xml'], /invalid --formats "xml": expected one of json, csv, jsonl, parquet$/m],
  [['journal'], ['--slice-duration', 'abc'], /invalid --slice-duration "abc": expected a number of seconds/],
])('rejects %j with %j and exits with 2', async (kinds, options, message) => {
  const target = copy(`wrong-${kinds.join('')}${options.join('')}`.replaceAll(/[^\w-]/g, ''), ...kinds);
  const io = testIo(folder);
  const code = await main(['export', target, '--output', join(folder, 'y'), ...options], io);
  expect(io.err.join('')).toMatch(message);
  expect(code).toBe(2);
});

test('names a broken file', async () => {
  const target = join(folder, 'broken');
  mkdirSync(target);
  writeFileSync(join(target, 'server_metrics_export.parquet'), 'PAR1 no more');
  const io = testIo(folder);
  expect(await main(['export', target], io)).toBe(2);
  expect(io.err.join('')).toMatch(/cannot export from .*server_metrics_export\.parquet/);
});

/** Expects equality, except for rounding errors of sums (which are differences of differences) and of estimates based on them. */
function expectSame(found: unknown, expected: unknown, path = ''): void {
  if (typeof expected === 'number' && typeof found === 'number') {
    const digits = /estimate|percentile/.test(path) ? 1e-6 : 1e-9;
    const room = Math.max(Math.abs(expected), 1) * digits;
    if (Math.abs(found - expected) > room) expect(found, path).toBe(expected);
    return;
  }
  if (typeof expected !== 'object' || expected === null || typeof found !== 'object' || found === null) {
    expect(found, path).toEqual(expected);
    return;
  }
  expect(Object.keys(found), path).toEqual(Object.keys(expected));
  for (const key of Object.keys(expected))
    expectSame(
      (found as Record<string, unknown>)[key],
      (expected as Record<string, unknown>)[key],
      `${path}/${key}`,
    );
}

function shown(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
