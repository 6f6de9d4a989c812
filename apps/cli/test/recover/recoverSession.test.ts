import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type ServerMetricsDocument, validate } from '@org/formats';
import { fromPath, readServerMetricsJson } from '@org/formats/read';
import { replayJournal } from '@org/scrape';
import { beforeEach, expect, test } from 'vitest';
import { runServelens, type ServelensProcess, startServelens } from '../support/servelens.ts';
import { startSimulator } from '../support/simulator.ts';
import { makeTestFolder } from '../support/temporaryFolder.ts';

const ENV = {
  AIPERF_SERVER_METRICS_COLLECTION_INTERVAL: '0.05',
  AIPERF_SERVER_METRICS_COLLECTION_FLUSH_PERIOD: '0.2',
};
const ALL_FORMATS = ['--server-metrics-formats', 'json', 'csv', 'jsonl', 'parquet'];

const { url } = await startSimulator({ seed: 5, arrivalRate: 20 });
let folder = '';
beforeEach(() => {
  folder = makeTestFolder();
});

/** Starts a collect run in the folder, with a reachable and an unreachable endpoint. */
function startCollect(...args: string[]): ServelensProcess {
  const endpoints = ['--url', url, '--server-metrics', '127.0.0.1:9'];
  return startServelens(['collect', ...endpoints, ...ALL_FORMATS, '--artifact-dir', folder, ...args], {
    cwd: folder,
    env: ENV,
  });
}

async function recover(...args: string[]): ReturnType<typeof runServelens> {
  return runServelens(['recover', ...args], { cwd: folder });
}

function listExports(): string[] {
  return readdirSync(folder)
    .filter(name => name.startsWith('server_metrics_export.'))
    .sort();
}

function readText(name: string): string {
  return readFileSync(join(folder, name), 'utf8');
}

test('exports recovered from the journal are byte-identical to the exports of the run', async () => {
  const phases = ['--duration', '1', '--warmup-duration', '0.5', '--slice-duration', '0.25'];
  await startCollect(...phases, '--keep-journal').ended;
  const names = ['server_metrics_export.csv', 'server_metrics_export.json', 'server_metrics_export.jsonl'];
  const texts = names.map(readText);
  for (const name of listExports()) rmSync(join(folder, name));
  expect((await recover(folder)).code).toBe(0);
  expect(names.map(readText)).toEqual(texts);
  expect(listExports()).toHaveLength(4);
});

test('a partitioned dataset recovered from the journal has the same files', async () => {
  await startCollect('--duration', '0.5', '--parquet-partition', '--keep-journal').ended;
  const dataset = join(folder, 'server_metrics_export');
  const listFiles = (): string[] =>
    readdirSync(dataset, { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.parquet'))
      .sort();
  const files = listFiles();
  expect(files.length).toBeGreaterThan(10);
  const partition = `endpoint_url=${encodeURIComponent(`${url}/metrics`)}/metric_name=vllm%3A`;
  for (const name of files.filter(file => file.includes('vllm')))
    expect(name).toMatch(new RegExp(`^${partition}\\w+/part-0\\.parquet$`));
  expect(await validate(fromPath(dataset))).toMatchObject({ valid: true, issues: [] });
  rmSync(dataset, { recursive: true });
  const { code, out } = await recover(folder);
  expect(code).toBe(0);
  expect(listFiles()).toEqual(files);
  expect(out).toMatch(/^ {2}server_metrics_export {2}\d/m);
  rmSync(dataset, { recursive: true });
  expect((await recover(folder, '--parquet-partition=false')).code).toBe(0);
  expect(existsSync(dataset)).toBe(false);
});

test('exports every scrape in the journal of a killed run', async () => {
  const run = startCollect('--duration', '60', '--slice-duration', '0.5');
  const journal = join(folder, 'server_metrics.journal');
  await run.waitUntil(() => existsSync(journal) && statSync(journal).size >= 20_000);
  run.kill('SIGKILL');
  await run.ended;
  expect(listExports()).toEqual([]);
  const { store } = replayJournal(journal).endpoints[0]!;
  expect(store.frameCount).toBeGreaterThan(3);
  const { originNs, offsetsNs } = store.timeline();
  const [first, last] = [offsetsNs.at(0)!, offsetsNs.at(-1)!].map(offset => originNs + BigInt(offset));
  expect((await recover(folder)).code).toBe(0);
  for (const name of listExports())
    expect((await validate(fromPath(join(folder, name)))).issues, name).toEqual([]);
  const { summary } = (await readServerMetricsJson(
    fromPath(join(folder, 'server_metrics_export.json')),
  )) as ServerMetricsDocument;
  expect(summary).toMatchObject({ was_cancelled: true, endpoints_successful: [`${url}/metrics`] });
  expect(summary.endpoints_configured).toHaveLength(2);
  expect(summary.endpoint_info[`${url}/metrics`]).toMatchObject({
    total_fetches: store.frameCount,
    first_fetch_ns: first,
    last_fetch_ns: last,
  });
});

test('a truncated journal is recovered up to its last complete record', async () => {
  await startCollect('--duration', '0.5', '--keep-journal').ended;
  const journal = join(folder, 'server_metrics.journal');
  truncateSync(journal, statSync(journal).size - 300);
  expect((await recover(journal, '--server-metrics-formats', 'json')).code).toBe(0);
  expect((await validate(fromPath(join(folder, 'server_metrics_export.json')))).valid).toBe(true);
});

test('the journal is removed after the exports are written', async () => {
  await startCollect('--duration', '0.3').ended;
  expect(readdirSync(folder).filter(name => name.endsWith('.journal'))).toEqual([]);
  expect(listExports()).toHaveLength(4);
});

test('the journal of an earlier run is kept', async () => {
  writeFileSync(join(folder, 'server_metrics.journal'), 'of an earlier run');
  await startCollect('--duration', '0.3').ended;
  expect(readText('server_metrics.journal')).toBe('of an earlier run');
  expect(listExports()).toHaveLength(4);
});

test('does not overwrite the exports of a later run in the same folder', async () => {
  await startCollect('--duration', '0.3', '--keep-journal').ended;
  const first = readText('server_metrics_export.json');
  await startCollect('--duration', '0.3').ended;
  const second = readText('server_metrics_export.json');
  expect(second).not.toBe(first);
  const { code, err } = await recover(folder);
  expect(code).toBe(2);
  expect(err).toMatch(/export\.json belongs to a different run than .*servelens export .*journal --output/);
  expect(readText('server_metrics_export.json')).toBe(second);
  const journal = join(folder, 'server_metrics.journal');
  const reexport = ['export', journal, '--output', join(folder, 'first')];
  expect((await runServelens(reexport, { cwd: folder })).code).toBe(0);
  expect(readText('first/server_metrics_export.json')).toBe(first);
});

test('refuses the folder of an active run, and of a killed run until it is recovered', async () => {
  const run = startCollect('--duration', '60');
  await run.waitUntil(() => existsSync(join(folder, 'servelens.sock')));
  const collectAgain = async (...args: string[]): Promise<string> => {
    const options = ['--server-metrics', url, '--duration', '0.1', '--artifact-dir', folder, ...args];
    const { code, err } = await runServelens(['collect', ...options], { cwd: folder, env: ENV });
    return `${code} ${err}`;
  };
  expect(await collectAgain()).toMatch(/^2 .*another run is active in this folder \(process \d+\)/);
  expect(await collectAgain('--profile-export-prefix', 'other')).toMatch(/^0 /);
  run.kill('SIGKILL');
  await run.ended;
  expect(await collectAgain()).toMatch(/^2 .*contains server_metrics\.journal, the journal of a run/);
  expect((await recover(folder)).code).toBe(0);
  expect(await collectAgain()).toMatch(/^0 /);
});

test('quotes an invalid --slice-duration', async () => {
  await startCollect('--duration', '0.2', '--keep-journal').ended;
  const { code, err } = await recover(folder, '--slice-duration', 'abc');
  expect(code).toBe(2);
  expect(err).toContain('invalid --slice-duration "abc": expected a number of seconds, at least 0.001');
});

test('rejects a file that is not a journal', async () => {
  writeFileSync(join(folder, 'x.journal'), 'hello');
  const { code, err } = await recover(folder);
  expect(code).toBe(2);
  expect(err).toMatch(/^servelens: cannot read the journal \S+x\.journal: it is not a Servelens journal$/m);
  expect(err).not.toContain('    at ');
});

test.each([
  [['/no/such/folder'], /cannot read folder "\/no\/such\/folder"/],
  [['.'], /no journal in/],
  [['/no/such.journal'], /cannot read journal \/no\/such\.journal: no such file/],
  [[], /see --help/],
])('rejects recover %j and exits with 2', async (args, message) => {
  const { code, err } = await recover(...args);
  expect(code).toBe(2);
  expect(err).toMatch(message);
});

test('--json lists the written files', async () => {
  await startCollect('--duration', '0.5', '--keep-journal').ended;
  for (const name of listExports()) rmSync(join(folder, name));
  const { code, out } = await recover(folder, '--json', '--quiet');
  expect(code).toBe(0);
  const { files, failed } = JSON.parse(out) as { files: { path: string; bytes: number }[]; failed: [] };
  expect(failed).toEqual([]);
  const paths = files.map(({ path }) => path);
  expect(paths).toEqual(expect.arrayContaining(listExports().map(name => join(folder, name))));
  for (const { path, bytes } of files) expect(statSync(path).size).toBe(bytes);
});
