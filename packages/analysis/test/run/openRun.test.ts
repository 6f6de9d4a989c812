import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { FormatError } from '@org/formats/read';
import { afterAll, expect, test } from 'vitest';
import { listSeries, readStat } from '../../src/index.ts';
import { openRun } from '../../src/run/openRun.ts';
import {
  createCounter,
  createDocument,
  createGauge,
  createMetric,
  createTempFolder,
  downInfo,
  healthyInfo,
  SECOND_NS,
  START_NS,
  toJson,
  URL_A,
  URL_B,
} from '../documents.ts';

const { path: root, remove } = createTempFolder('open');
afterAll(remove);

const JSON_TEXT = toJson(
  createDocument(
    {
      'vllm:num_requests_running': createMetric('gauge', [createGauge(12)], 'requests'),
      'vllm:generation_tokens': createMetric(
        'counter',
        [createCounter(100), createCounter(300, { url: URL_B })],
        'tokens',
      ),
    },
    { [URL_A]: healthyInfo, [URL_B]: downInfo },
  ),
);
const LEGACY = toJson({
  summary: {
    endpoints_configured: ['localhost:8000'],
    endpoints_successful: ['localhost:8000'],
    start_time: '2025-12-06T08:52:09.880074',
    end_time: '2025-12-06T08:52:30.880074',
    endpoint_info: {
      'localhost:8000': {
        endpoint_url: URL_A,
        duration_seconds: 21,
        scrape_count: 68,
        avg_scrape_latency_ms: 3,
        avg_scrape_period_ms: 325,
      },
    },
  },
  metrics: {
    'vllm:generation_tokens': {
      type: 'counter',
      description: '',
      series: [{ endpoint: 'localhost:8000', endpoint_url: URL_A, delta: 42, rate_per_second: 2 }],
    },
  },
});
const CSV =
  'Endpoint,Type,Metric,Unit,total,rate,rate_avg,rate_min,rate_max,rate_std,Description\nlocalhost:1,counter,vllm:generation_tokens,tokens,120,4,,,,,Tokens\n';
const PROFILE = toJson({
  schema_version: '1.1',
  aiperf_version: '0.1.0',
  benchmark_id: 'id-1',
  request_throughput: { unit: 'requests/sec', avg: 1.5 },
  start_time: '2026-01-01T00:00:00',
  end_time: '2026-01-01T00:00:10',
  was_cancelled: false,
  input_config: { model: 'x' },
});

let folders = 0;
function createFolder(files: Readonly<Record<string, string>>): string {
  const path = join(root, `run${folders++}`);
  mkdirSync(path);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  return path;
}

test.each<[string, Readonly<Record<string, string>>, string, number]>([
  ['JSON', { 'server_metrics_export.json': JSON_TEXT }, 'json', 3],
  [
    'JSON and CSV, of which only JSON is read',
    { 'server_metrics_export.json': JSON_TEXT, 'server_metrics_export.csv': CSV },
    'json',
    3,
  ],
  ['a file name prefix', { 'mine_server_metrics.json': JSON_TEXT }, 'json', 3],
  [
    'a prefix and a profile export with the same prefix',
    { 'mine_server_metrics.json': JSON_TEXT, 'mine.json': PROFILE },
    'json',
    4,
  ],
  ['the legacy layout', { 'server_metrics_export.json': LEGACY }, 'legacy', 1],
  ['CSV', { 'server_metrics_export.csv': CSV }, 'csv', 1],
  ['a profile export alone', { 'profile_export_aiperf.json': PROFILE }, 'none', 1],
  [
    'a profile export and a CSV export',
    { 'profile_export_aiperf.json': PROFILE, 'server_metrics_export.csv': CSV },
    'csv',
    2,
  ],
])('opens a folder with %s', async (_, files, layout, count) => {
  const run = await openRun(createFolder(files));
  expect([run.layout, run.seriesCount, [...listSeries(run)].length]).toEqual([layout, count, count]);
});

test.each<[string, string, string]>([
  ['a.json', JSON_TEXT, 'json'],
  ['b.json', LEGACY, 'legacy'],
  ['c.csv', CSV, 'csv'],
  ['d.json', PROFILE, 'none'],
])('detects the layout of a file from its content: %s', async (name, text, layout) => {
  const file = join(createFolder({ [name]: text }), name);
  expect((await openRun(file)).layout).toBe(layout);
});

test('skips only timeslices that no figure uses, and only if wanted', async () => {
  const names = ['vllm:num_requests_running', 'vllm:request_params_max_tokens', 'app_level'];
  const metrics = names.map(name => [
    name,
    createMetric('gauge', [createGauge(12, { slices: [11, 13] })], 'requests'),
  ]);
  const text = toJson(createDocument(Object.fromEntries(metrics), { [URL_A]: healthyInfo }));
  const folder = createFolder({ 'server_metrics_export.json': text });
  const count = async (skipsUnusedSlices: boolean): Promise<number[]> => {
    const { families } = await openRun(folder, { skipsUnusedSlices });
    return names.map(name => families.get(name)!.series[0]!.slices.length);
  };
  expect([await count(false), await count(true)]).toEqual([
    [2, 2, 2],
    [2, 0, 2],
  ]);
});

test('reads a compressed file of a run that recorded definitions of servers', async () => {
  // Longer than the part that is read to recognize a file.
  const samples = Array.from({ length: 40_000 }, (_, index) => index % 97);
  const gauge = createMetric('gauge', [createGauge(12, { slices: samples })], 'requests');
  const document = {
    ...createDocument({ mine_queue: gauge }, { [URL_A]: healthyInfo }),
    servelens_config: { server_definitions: [{ name: 'Mine', recognize: { prefixes: ['mine_'] } }] },
  };
  const folder = createFolder({});
  const file = join(folder, 'server_metrics_export.json.gz');
  writeFileSync(file, gzipSync(toJson(document)));
  const { families } = await openRun(file, { skipsUnusedSlices: true });
  expect(families.get('mine_queue')!.series[0]!.slices).toHaveLength(samples.length);
});

test('reads times, endpoints and series', async () => {
  const run = await openRun(createFolder({ 'server_metrics_export.json': JSON_TEXT }));
  expect(run.times).toMatchObject({ seconds: 20, profilingSeconds: 20, startNs: 1_795_254_800_000_000_000n });
  expect(run.endpoints.map(({ name, state }) => [name, state])).toEqual([
    ['localhost:8000', 'ok'],
    ['down:1', 'without_data'],
  ]);
  const tokens = run.families.get('vllm:generation_tokens')!.series;
  expect(
    tokens.map(series => [series.endpoint, readStat(series, 'total'), readStat(series, 'constructor')]),
  ).toEqual([
    ['localhost:8000', 100, undefined],
    ['down:1', 300, undefined],
  ]);
});

test('reads start times with microseconds', async () => {
  const run = await openRun(
    createFolder({ 'server_metrics_export.json': LEGACY.replace(/_time": ?"[^"]*/g, '$&Z') }),
  );
  expect(run.times.startNs! % 1_000_000_000n).toBe(880_074_000n);
  expect(run.times.seconds).toBe(21);
});

test('adds client metrics as series', async () => {
  const run = await openRun(createFolder({ 'profile_export_aiperf.json': PROFILE }));
  expect(run.families.get('request_throughput')).toMatchObject({ type: 'client', unit: 'requests/sec' });
  expect(run.times.seconds).toBe(10);
  expect(run.wasCancelled).toBe(false);
});

test('reads a CSV profile export and its timeslices', async () => {
  const csv = 'Metric,avg,min,max\nRequest Latency (ms),2620.5,2145.25,3411.5\n';
  const timeslices = [0n, 1n].map(i => ({
    timeslice_index: Number(i),
    start_ns: START_NS + i * SECOND_NS,
    end_ns: START_NS + (i + 1n) * SECOND_NS,
    is_complete: true,
    request_latency: { unit: 'ms', avg: 2000 + Number(i), count: 3, sum: 3 * (2000 + Number(i)) },
  }));
  const run = await openRun(
    createFolder({
      'profile_export_aiperf.csv': csv,
      'profile_export_aiperf_timeslices.json': toJson({ timeslices }),
    }),
  );
  const [series] = run.families.get('request_latency')!.series;
  expect(series).toMatchObject({ type: 'client', unit: 'ms', stats: { avg: 2620.5 } });
  expect(series!.slices.map(({ avg, count }) => [avg, count])).toEqual([
    [2000, 3],
    [2001, 3],
  ]);
});

test('adds a note if the folder contains a journal', async () => {
  const run = await openRun(
    createFolder({ 'server_metrics_export.csv': CSV, 'server_metrics_export.journal': '' }),
  );
  expect(run.notes.join()).toContain('journal');
});

test('throws the FormatError of an invalid file', async () => {
  const broken = JSON_TEXT.replace('"avg":12', '"avg":"twelve"');
  const problem = openRun(createFolder({ 'server_metrics_export.json': broken }));
  await expect(problem).rejects.toThrow(FormatError);
  await expect(problem).rejects.toThrow(/stats\.avg is "twelve"; expected a number/);
});

test('rejects a file of individual requests', async () => {
  const line = toJson({
    metadata: { session_num: 0, request_start_ns: 1, request_end_ns: 2 },
    metrics: {},
    error: null,
  });
  const file = join(createFolder({ 'profile_export.jsonl': `${line}\n${line}\n` }), 'profile_export.jsonl');
  await expect(openRun(file)).rejects.toThrow(
    /contains individual requests; specify profile_export_aiperf\.json/,
  );
});

test('opens a folder with nothing but requests, and notes what is missing', async () => {
  const { layout, notes } = await openRun(createFolder({ 'inputs.json': '{}', 'profile_export.jsonl': '' }));
  expect(layout).toBe('none');
  expect(notes).toEqual([expect.stringContaining('there is no summary of the requests')]);
});

test('rejects the folder of a killed run and names the recovery command', async () => {
  const killed = createFolder({ 'profile.journal': '', 'profile_export.jsonl': '' });
  await expect(openRun(killed)).rejects.toThrow(
    /did not finish; to write its exports, run servelens recover/,
  );
});
