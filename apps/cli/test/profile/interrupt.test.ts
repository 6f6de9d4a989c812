import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { validate } from '@org/formats';
import { createSimulator, type Simulator } from '@org/simulator';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { main } from '../../src/main.ts';
import { testIo } from '../io.ts';
import { FAST, filesOf, MODEL, temporaryFolder } from './support.ts';

const BIN = fileURLToPath(new URL('../../bin/servelens.js', import.meta.url));

let simulator: Simulator;
let url = '';
beforeAll(async () => {
  simulator = createSimulator({ seed: 3 });
  ({ url } = await simulator.listen(0));
});
afterAll(() => simulator.close());

interface Running {
  readonly folder: string;
  readonly child: ChildProcess;
  readonly said: { err: string };
  readonly ended: Promise<number | NodeJS.Signals>;
}

/** A run without end that has some answers. */
async function underWay(env: Record<string, string> = {}): Promise<Running> {
  const folder = temporaryFolder();
  const args = [
    '--model',
    MODEL,
    '--url',
    url,
    '--streaming',
    '--concurrency',
    '3',
    '--isl',
    '20',
    '--osl',
    '20',
  ];
  const ends = ['--benchmark-duration', '1000', '--use-server-token-count', '--artifact-dir', folder];
  const child = spawn(process.execPath, [BIN, 'profile', ...args, ...ends], {
    env: { ...process.env, ...FAST, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const said = { err: '' };
  child.stderr!.on('data', chunk => {
    said.err += chunk;
  });
  const ended = once(child, 'exit').then(([code, signal]) => code ?? signal);
  while (linesOf(folder) < 6) {
    if (child.exitCode !== null) throw new Error(`it ended by itself: ${said.err}`);
    await sleep(20);
  }
  return { folder, child, said, ended };
}

function linesOf(folder: string): number {
  try {
    return readFileSync(join(folder, 'profile_export.jsonl'), 'utf8').split('\n').length - 1;
  } catch {
    return 0;
  }
}

test('Ctrl-C ends a run with all exports', async () => {
  const { folder, child, said, ended } = await underWay();
  child.kill('SIGINT');
  expect(await ended).toBe(130);
  expect(said.err).toMatch(/ending the run: in-flight requests are cut off; press Ctrl-C again to quit/);
  const { document, records } = await filesOf(folder);
  expect(document.was_cancelled).toBe(true);
  expect(records.length).toBeGreaterThanOrEqual(6);
  const names = readdirSync(folder);
  expect(names).toContain('server_metrics_export.json');
  for (const name of names) expect((await validate(join(folder, name))).valid, name).toBe(true);
});

test('a second Ctrl-C quits at once and names the folder to recover', async () => {
  const { folder, child, said, ended } = await underWay();
  // The closing scrape waits two seconds for a server that says nothing.
  simulator.control.inject({ kind: 'stall', seconds: 20 });
  onTestFinished(() => simulator.control.clear());
  const timer = setInterval(() => child.kill('SIGINT'), 500);
  onTestFinished(() => clearInterval(timer));
  expect(await ended).toBe(130);
  expect(said.err).toMatch(/quitting without exports; the requests so far are in the \.jsonl file/);
  expect(said.err).toMatch(/servelens recover/);
  const names = readdirSync(folder);
  expect(names).toContain('server_metrics.journal');
  expect(names).not.toContain('profile_export_aiperf.json');
});

test('a killed run keeps its requests and the journal of server metrics', async () => {
  const { folder, child, ended } = await underWay();
  child.kill('SIGKILL');
  expect(await ended).toBe('SIGKILL');
  expect(linesOf(folder)).toBeGreaterThanOrEqual(6);
  expect(
    (await validate(join(folder, 'profile_export.jsonl'))).issues.filter(one => one.severity === 'error'),
  ).toEqual([]);
  const io = testIo(folder);
  expect(await main(['recover', folder], io)).toBe(0);
  expect((await validate(join(folder, 'server_metrics_export.json'))).valid).toBe(true);
});
