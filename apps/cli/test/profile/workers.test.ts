import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { fromPath, type ProfileRecord, validate } from '@org/formats';
import { expect, onTestFinished, test } from 'vitest';
import { countRequests, MODEL, readClientExports, runProfile } from '../support/profileRun.ts';
import { FAST_SCRAPES, runServelens, startServelens } from '../support/servelens.ts';
import { startSimulator } from '../support/simulator.ts';
import { makeTestFolder } from '../support/temporaryFolder.ts';

const { url } = await startSimulator({ seed: 3, speed: 5 });

const SHORT_REQUESTS = ['--streaming', '--isl', '20', '--osl', '6', '--extra-inputs', 'ignore_eos:true'];
/** Load that lasts longer than any test. */
const LONG_LOAD = [
  ...['--concurrency', '4', '--benchmark-duration', '600', '--workers', '2'],
  '--use-server-token-count',
];

/** Formats the arguments of a profile run. */
function formatArguments(folder: string, args: readonly string[]): string[] {
  return [
    'profile',
    ...['--model', MODEL, '--url', url, '--artifact-dir', folder],
    ...SHORT_REQUESTS,
    ...args,
  ];
}

function listRequests(records: readonly ProfileRecord[]): string[] {
  return records
    .map(({ metadata, metrics }) => `${metadata.session_num},${metrics.input_sequence_length!.value}`)
    .sort();
}

test('worker threads send the same requests, and record which worker sent each', async () => {
  const load = [
    // Each worker sends its share of a request rate, no matter when the other workers start.
    ...['--request-rate', '300', '--concurrency', '4'],
    ...['--request-count', '24', '--warmup-request-count', '5', '--use-server-token-count'],
  ];
  const single = await runProfile(url, [...SHORT_REQUESTS, ...load]);
  const several = await runProfile(url, [...SHORT_REQUESTS, ...load, '--workers-max', '2']);
  const { folder, document } = several;
  const { records } = await readClientExports(folder);
  expect(listRequests(records)).toEqual(listRequests((await readClientExports(single.folder)).records));
  expect(new Set(records.map(({ metadata }) => metadata.worker_id))).toEqual(
    new Set(['worker_0', 'worker_1']),
  );
  expect(document.load_generator).toMatchObject({ tokenizer: 'server', workers: 2, stop_reason: 'requests' });
  expect(document.servelens_config).toMatchObject({ workers: 2 });
  expect(single.document.load_generator).not.toHaveProperty('workers');
  expect(several.load.phases).toMatchObject([
    { phase: 'warmup', sent: 5 },
    { phase: 'profiling', sent: 24, succeeded: 24 },
  ]);
  expect(document.reconciliation).toMatchObject({ findings: [] });
  for (const name of ['profile_export_aiperf.json', 'profile_export.jsonl'])
    expect(await validate(fromPath(join(folder, name)))).toMatchObject({ valid: true });
});

test('starts no more threads than requests can be in flight, whatever the limit', async () => {
  const threads: Worker[] = [];
  const addThread = (worker: Worker): number => threads.push(worker);
  process.on('worker', addThread);
  onTestFinished(() => void process.off('worker', addThread));
  const { document } = await runProfile(url, [
    ...SHORT_REQUESTS,
    ...['--workers-max', '252', '--request-count', '6', '--use-server-token-count'],
  ]);
  expect(document.load_generator).toMatchObject({ workers: 1 });
  expect(threads).toHaveLength(1);
});

test.each([
  [['--workers', '0'], 'invalid --workers "0": expected an integer of at least 1'],
  [['--workers', 'many'], 'invalid --workers "many": expected an integer of at least 1'],
  [
    ['--workers', '2', '--tokenizer', '/nowhere'],
    'cannot find the tokenizer "/nowhere": there is no such file',
  ],
])('rejects %j before any request is sent', async (args, message) => {
  const folder = makeTestFolder();
  const { code, err } = await runServelens(formatArguments(folder, args), { cwd: folder, env: FAST_SCRAPES });
  expect(code).toBe(2);
  expect(err).toContain(message);
});

test('ends the run with exit code 1 and all exports if a worker thread exits', async () => {
  const threads: Worker[] = [];
  const addThread = (worker: Worker): number => threads.push(worker);
  process.on('worker', addThread);
  onTestFinished(() => void process.off('worker', addThread));
  const folder = makeTestFolder();
  const timer = setInterval(() => {
    if (countRequests(folder) > 3) void threads[0]?.terminate();
  }, 20);
  onTestFinished(() => clearInterval(timer));
  const args = formatArguments(folder, LONG_LOAD);
  const { code, err, out } = await runServelens(args, { cwd: folder, env: FAST_SCRAPES });
  expect(code).toBe(1);
  expect(err).toContain('run aborted: 1 of 2 worker threads exited');
  expect(out.replace(/\s+/g, ' ')).toContain('worker_0 failed (exited with code 1); run aborted');
  const { document, records } = await readClientExports(folder);
  expect(document.was_cancelled).toBe(true);
  expect(document.load_generator!.warnings![0]).toMatchObject({ kind: 'worker_lost' });
  expect(records.length).toBeGreaterThan(0);
  expect(await validate(fromPath(join(folder, 'profile_export_aiperf.json')))).toMatchObject({ valid: true });
});

test('a killed run keeps the requests of its worker threads', async () => {
  const folder = makeTestFolder();
  /** Lists the worker IDs in all lines but the last, which may be incomplete. */
  const listWorkers = (): string[] => {
    if (countRequests(folder) === 0) return [];
    const lines = readFileSync(join(folder, 'profile_export.jsonl'), 'utf8').trim().split('\n');
    return lines
      .slice(0, -1)
      .map(line => (JSON.parse(line) as { metadata: { worker_id: string } }).metadata.worker_id);
  };
  const run = startServelens(formatArguments(folder, LONG_LOAD), { cwd: folder, env: FAST_SCRAPES });
  // One worker may start much later than the other.
  await run.waitUntil(() => new Set(listWorkers()).size === 2);
  const workers = listWorkers();
  run.kill('SIGKILL');
  await run.ended;
  expect(workers).toEqual(listWorkers().slice(0, workers.length));
  expect(new Set(workers)).toEqual(new Set(['worker_0', 'worker_1']));
});
