import { type ChildProcess, spawn } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type ServerMetricsDocument, validate } from '@org/formats';
import { readServerMetricsJson } from '@org/formats/read';
import { replayJournal } from '@org/scrape';
import { createSimulator, type Simulator } from '@org/simulator';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { main } from '../../src/main.ts';
import { testIo } from '../io.ts';

const BIN = fileURLToPath(new URL('../../bin/servelens.js', import.meta.url));
const FAST = {
  AIPERF_SERVER_METRICS_COLLECTION_INTERVAL: '0.05',
  AIPERF_SERVER_METRICS_COLLECTION_FLUSH_PERIOD: '0.2',
};
const FORMATS = ['--server-metrics-formats', 'json', 'csv', 'jsonl', 'parquet'];

let simulator: Simulator;
let url = '';
let folder = '';

beforeAll(async () => {
  simulator = createSimulator({ seed: 5, arrivalRate: 20 });
  ({ url } = await simulator.listen(0));
});
afterAll(() => simulator.close());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'recover-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function collect(...args: string[]): { child: ChildProcess; ended: Promise<unknown> } {
  const options = [
    'collect',
    '--url',
    url,
    '--server-metrics',
    '127.0.0.1:9',
    ...FORMATS,
    '--artifact-dir',
    folder,
    ...args,
  ];
  const child = spawn(process.execPath, [BIN, ...options], {
    env: { ...process.env, ...FAST },
    stdio: 'ignore',
  });
  return { child, ended: new Promise(resolve => child.on('close', resolve)) };
}

const exportsIn = (): string[] =>
  readdirSync(folder)
    .filter(name => name.startsWith('server_metrics_export.'))
    .sort();
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

test('exports recovered from the journal are byte-identical to those of the run', async () => {
  await collect('--duration', '1', '--warmup-duration', '0.5', '--slice-duration', '0.25', '--keep-journal')
    .ended;
  const names = ['server_metrics_export.csv', 'server_metrics_export.json', 'server_metrics_export.jsonl'];
  const before = names.map(read);
  for (const name of exportsIn()) rmSync(join(folder, name));
  expect(await main(['recover', folder], testIo(folder))).toBe(0);
  expect(names.map(read)).toEqual(before);
  expect(exportsIn()).toHaveLength(4);
});

test('a partitioned dataset recovered from the journal has the same files', async () => {
  await collect('--duration', '0.5', '--parquet-partition', '--keep-journal').ended;
  const dataset = join(folder, 'server_metrics_export');
  const files = () =>
    readdirSync(dataset, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.parquet'));
  const before = files().sort();
  expect(before.length).toBeGreaterThan(10);
  const endpoint = `endpoint_url=${encodeURIComponent(`${url}/metrics`)}/metric_name=vllm%3A`;
  for (const name of before.filter(one => one.includes('vllm')))
    expect(name).toMatch(new RegExp(`^${endpoint}\\w+/part-0\\.parquet$`));
  expect(await validate(dataset)).toMatchObject({ valid: true, issues: [] });
  rmSync(dataset, { recursive: true });
  const io = testIo(folder);
  expect(await main(['recover', folder], io)).toBe(0);
  expect(files().sort()).toEqual(before);
  expect(io.out.join('')).toMatch(/^ {2}server_metrics_export {2}\d/m);
  rmSync(dataset, { recursive: true });
  expect(await main(['recover', folder, '--parquet-partition=false'], testIo(folder))).toBe(0);
  expect(existsSync(dataset)).toBe(false);
});

test('a killed run loses no scrapes', async () => {
  const { child, ended } = collect('--duration', '60', '--slice-duration', '0.5');
  const journal = join(folder, 'server_metrics.journal');
  while (!existsSync(journal) || statSync(journal).size < 20_000) await sleep(20);
  child.kill('SIGKILL');
  await ended;
  expect(exportsIn()).toEqual([]);
  const { store } = replayJournal(journal).endpoints[0]!;
  expect(store.frameCount).toBeGreaterThan(3);
  const { originNs, offsetsNs } = store.timeline();
  const [first, last] = [offsetsNs.at(0)!, offsetsNs.at(-1)!].map(offset => originNs + BigInt(offset));
  expect(await main(['recover', folder], testIo(folder))).toBe(0);
  for (const name of exportsIn()) expect((await validate(join(folder, name))).issues, name).toEqual([]);
  const document = (await readServerMetricsJson(
    join(folder, 'server_metrics_export.json'),
  )) as ServerMetricsDocument;
  expect(document.summary).toMatchObject({ was_cancelled: true, endpoints_successful: [`${url}/metrics`] });
  expect(document.summary.endpoints_configured).toHaveLength(2);
  const { total_fetches, first_fetch_ns, last_fetch_ns } = document.summary.endpoint_info[`${url}/metrics`]!;
  expect([total_fetches, first_fetch_ns, last_fetch_ns]).toEqual([store.frameCount, first, last]);
});

test('a truncated journal is recovered up to its last complete record', async () => {
  await collect('--duration', '0.5', '--keep-journal').ended;
  const journal = join(folder, 'server_metrics.journal');
  truncateSync(journal, statSync(journal).size - 300);
  const io = testIo(folder);
  expect(await main(['recover', journal, '--server-metrics-formats', 'json'], io)).toBe(0);
  expect((await validate(join(folder, 'server_metrics_export.json'))).valid).toBe(true);
});

test('the journal is removed after the exports are written', async () => {
  await collect('--duration', '0.3').ended;
  expect(readdirSync(folder).filter(name => name.endsWith('.journal'))).toEqual([]);
  expect(exportsIn()).toHaveLength(4);
});

test('a journal of another run is kept', async () => {
  writeFileSync(join(folder, 'server_metrics.journal'), 'of an earlier run');
  await collect('--duration', '0.3').ended;
  expect(read('server_metrics.journal')).toBe('of an earlier run');
  expect(exportsIn()).toHaveLength(4);
});

test('does not overwrite the exports of a later run in the same folder', async () => {
  await collect('--duration', '0.3', '--keep-journal').ended;
  const first = read('server_metrics_export.json');
  await collect('--duration', '0.3').ended;
  const second = read('server_metrics_export.json');
  expect(second).not.toBe(first);
  const io = testIo(folder);
  expect(await main(['recover', folder], io)).toBe(2);
  expect(io.err.join('')).toMatch(
    /export\.json belongs to another run than .*servelens export .*journal --output/,
  );
  expect(read('server_metrics_export.json')).toBe(second);
  const journal = join(folder, 'server_metrics.journal');
  expect(await main(['export', journal, '--output', join(folder, 'first')], testIo(folder))).toBe(0);
  expect(read('first/server_metrics_export.json')).toBe(first);
});

test('warns of another active run in the same folder', async () => {
  const { child, ended } = collect('--duration', '60');
  while (!existsSync(join(folder, 'servelens.sock'))) await sleep(20);
  const warned = async (...args: string[]): Promise<boolean> => {
    const io = testIo(folder, FAST);
    const options = ['--server-metrics', url, '--duration', '0.1', '--artifact-dir', folder, ...args];
    expect(await main(['collect', ...options], io)).toBe(0);
    return io.err.join('').includes('another active run uses .');
  };
  expect(await warned()).toBe(true);
  expect(await warned('--profile-export-prefix', 'other')).toBe(false);
  child.kill('SIGKILL');
  await ended;
  expect(await warned()).toBe(false);
});

test.each([
  [['recover', '/no/such/folder'], /cannot read folder "\/no\/such\/folder"/],
  [['recover', tmpdir()], /no journal in|several journals in/],
  [['recover', '/no/such.journal'], /cannot read journal \/no\/such\.journal: no such file/],
  [['recover'], /see --help/],
])('rejects %j and exits with 2', async (args, message) => {
  const io = testIo(folder);
  expect(await main(args, io)).toBe(2);
  expect(io.err.join('')).toMatch(message);
});

test('quotes an invalid --slice-duration', async () => {
  await collect('--duration', '0.2', '--keep-journal').ended;
  const io = testIo(folder);
  expect(await main(['recover', folder, '--slice-duration', 'abc'], io)).toBe(2);
  expect(io.err.join('')).toContain(
    'invalid --slice-duration "abc": expected a number of seconds, at least 0.001',
  );
});

test('rejects a file that is not a journal', async () => {
  writeFileSync(join(folder, 'x.journal'), 'hello');
  const io = testIo(folder);
  expect(await main(['recover', folder], io)).toBe(2);
  expect(io.err.join('')).toMatch(
    /^servelens: cannot read the journal \S+x\.journal: it is not a Servelens journal$/m,
  );
  expect(io.err.join('')).not.toContain('    at ');
});
