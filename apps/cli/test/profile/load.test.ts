import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Worker } from 'node:worker_threads';
import { validate } from '@org/formats';
import { createSimulator, type Simulator } from '@org/simulator';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { main } from '../../src/main.ts';
import { testIo } from '../io.ts';
import { linesIn } from './killed.ts';
import { FAST, filesOf, MODEL, ran, temporaryFolder } from './support.ts';

const BIN = fileURLToPath(new URL('../../bin/servelens.js', import.meta.url));

let simulator: Simulator;
let url = '';
beforeAll(async () => {
  simulator = createSimulator({ seed: 3, speed: 5 });
  ({ url } = await simulator.listen(0));
});
afterAll(() => simulator.close());

const SHORT = ['--streaming', '--isl', '20', '--osl', '6', '--extra-inputs', 'ignore_eos:true'];
// Arrivals are dealt out: each thread has its own, however late the other ones begin.
const LOAD = [
  '--request-rate',
  '300',
  '--concurrency',
  '4',
  '--request-count',
  '24',
  '--warmup-request-count',
  '5',
  '--use-server-token-count',
];

test('worker threads send the same requests, and record which worker sent each', async () => {
  const alone = await ran(url, [...SHORT, ...LOAD]);
  const { folder, document, load } = await ran(url, [...SHORT, ...LOAD, '--workers-max', '2']);
  const { records } = await filesOf(folder);
  const said = (lines: typeof records) =>
    lines
      .map(({ metadata, metrics }) => [metadata.session_num, metrics.input_sequence_length!.value].join())
      .sort();
  expect(said(records)).toEqual(said((await filesOf(alone.folder)).records));
  expect(new Set(records.map(({ metadata }) => metadata.worker_id))).toEqual(
    new Set(['worker_0', 'worker_1']),
  );
  expect(document.load_generator).toMatchObject({ tokenizer: 'server', workers: 2, stop_reason: 'requests' });
  expect(document.input_config).toMatchObject({ workers: 2 });
  expect(alone.document.load_generator).not.toHaveProperty('workers');
  expect(load.phases).toMatchObject([
    { phase: 'warmup', sent: 5 },
    { phase: 'profiling', sent: 24, succeeded: 24 },
  ]);
  expect(document.reconciliation).toMatchObject({ findings: [] });
  for (const name of ['profile_export_aiperf.json', 'profile_export.jsonl'])
    expect(await validate(join(folder, name))).toMatchObject({ valid: true });
});

/** Runs the command in this process. */
async function command(folder: string, ...args: string[]) {
  const io = testIo(folder, FAST);
  const code = await main(
    ['profile', '--model', MODEL, '--url', url, ...SHORT, '--artifact-dir', folder, ...args],
    io,
  );
  return { code, folder, err: io.err.join(''), out: io.out.join('') };
}

describe('reports invalid worker options before any request is sent:', () => {
  test.each([
    [['--workers', '0'], 'invalid --workers "0": expected an integer from 1 to 256'],
    [['--workers', 'many'], 'invalid --workers "many": expected an integer from 1 to 256'],
    [['--workers', '2', '--tokenizer', '/nowhere'], '--tokenizer: cannot read tokenizer "/nowhere"'],
  ])('%j', async (args, message) => {
    const { code, err } = await command(temporaryFolder(), ...args);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });
});

test('ends the run with exit code 1 and all exports if a worker thread exits', async () => {
  const threads: Worker[] = [];
  const onWorker = (worker: Worker): number => threads.push(worker);
  process.on('worker', onWorker);
  onTestFinished(() => void process.off('worker', onWorker));
  const folder = temporaryFolder();
  const ending = setInterval(() => {
    if (linesIn(folder) > 3) void threads[0]?.terminate();
  }, 20);
  onTestFinished(() => clearInterval(ending));
  const duration = ['--concurrency', '4', '--benchmark-duration', '600', '--use-server-token-count'];
  const { code, err, out } = await command(folder, ...duration, '--workers', '2');
  expect(code).toBe(1);
  expect(err).toContain('run aborted: 1 of 2 worker threads exited');
  expect(out.replace(/\s+/g, ' ')).toContain('worker_0 failed (exited with code 1); run aborted');
  const { document, records } = await filesOf(folder);
  expect(document.was_cancelled).toBe(true);
  expect(document.load_generator!.warnings![0]).toMatchObject({ kind: 'worker_lost' });
  expect(records.length).toBeGreaterThan(0);
  expect(await validate(join(folder, 'profile_export_aiperf.json'))).toMatchObject({ valid: true });
});

test('a killed run keeps the requests of its worker threads', async () => {
  const folder = temporaryFolder();
  const args = [
    '--concurrency',
    '4',
    '--benchmark-duration',
    '600',
    '--workers',
    '2',
    '--use-server-token-count',
  ];
  const child = spawn(
    process.execPath,
    [BIN, 'profile', '--model', MODEL, '--url', url, ...SHORT, ...args, '--artifact-dir', folder],
    { env: { ...process.env, ...FAST }, stdio: 'ignore' },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = (): string[] => {
    try {
      return readFileSync(join(folder, 'profile_export.jsonl'), 'utf8').trim().split('\n');
    } catch {
      return [];
    }
  };
  /** Who sent the requests of whole lines. */
  const workers = (): string[] =>
    lines()
      .slice(0, -1)
      .map(line => (JSON.parse(line) as { metadata: { worker_id: string } }).metadata.worker_id);
  // One may begin much later than the other.
  while (new Set(workers()).size < 2) await sleep(50);
  const kept = workers();
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(kept).toEqual(workers().slice(0, kept.length));
  expect(new Set(kept)).toEqual(new Set(['worker_0', 'worker_1']));
});
