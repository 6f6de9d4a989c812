import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerMetricsDocument } from '@org/formats';
import { createSimulator, type Simulator } from '@org/simulator';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { main } from '../../src/main.ts';
import { testIo } from '../io.ts';
import { killedProfile, linesIn, PATIENCE_MS } from './killed.ts';
import { FAST, MODEL } from './support.ts';

const SHORT = [
  ...['--streaming', '--isl', '20', '--osl', '12', '--use-server-token-count', '--concurrency', '4'],
  ...['--server-metrics-formats', 'json'],
];

vi.setConfig({ testTimeout: PATIENCE_MS });

let simulator: Simulator;
let url = '';
let root = '';
beforeAll(async () => {
  simulator = createSimulator({ seed: 5 });
  ({ url } = await simulator.listen(0));
  root = mkdtempSync(join(tmpdir(), 'notes-'));
});
afterAll(async () => {
  await simulator.close();
  rmSync(root, { recursive: true, force: true });
});

const profileArguments = (folder: string, ...more: string[]): string[] => [
  ...['profile', '--model', MODEL, '--url', url, '--artifact-dir', join(root, folder), ...SHORT, ...more],
];

async function marked(folder: string, ...words: string[]): Promise<[code: number, said: string]> {
  const io = testIo(root);
  const code = await main(['mark', '--folder', folder, '--who', 'me', ...words], io);
  return [code, [...io.out, ...io.err].join('')];
}

async function until(isTime: () => boolean): Promise<void> {
  while (!isTime()) await sleep(10);
}

function marksIn(folder: string): unknown[] {
  const text = readFileSync(join(root, folder, 'server_metrics_export.json'), 'utf8');
  const { summary } = JSON.parse(text) as ServerMetricsDocument;
  return (summary.marks ?? []).map(({ kind, text: said, sender }) => [kind, said, sender]);
}

test('exports notes, and rejects marks of phases', async () => {
  const io = testIo(root, FAST);
  // What the command needs is in memory before the run begins.
  expect((await marked('.', 'nobody'))[0]).toBe(3);
  const run = main(profileArguments('noted', '--request-count', '120', '--warmup-request-count', '4'), io);
  await until(() => linesIn(join(root, 'noted')) > 0);
  expect(await marked('noted', 'longer', 'prompts')).toEqual([0, expect.stringMatching(/^noted at 20/)]);
  for (const edge of ['profiling-start', 'profiling-end'])
    expect(await marked('noted', edge)).toEqual([1, expect.stringContaining('accepts only notes')]);
  expect(await run, io.err.join('')).toBe(0);
  expect(marksIn('noted')).toEqual([['note', 'longer prompts', 'me']]);
  expect(io.err.join('')).toContain('mark by me: longer prompts');
  expect(readdirSync(join(root, 'noted')).filter(name => name.includes('sock'))).toEqual([]);
  expect(await marked('noted', 'too late')).toEqual([3, expect.stringContaining('no active run')]);
});

test('warns of another active run in the same folder', async () => {
  const long = main(profileArguments('shared', '--request-count', '160'), testIo(root, FAST));
  await until(() => linesIn(join(root, 'shared')) > 0);
  const said = async (...more: string[]): Promise<string> => {
    const io = testIo(root, FAST);
    expect(await main(profileArguments('shared', '--request-count', '4', ...more), io)).toBe(0);
    return io.err.join('');
  };
  const warning =
    /another active run uses .*shared; the exports of the run that ends first will be overwritten/;
  expect(await said()).toMatch(warning);
  expect(await said('--profile-export-prefix', 'other')).not.toMatch(warning);
  await long;
  expect(await said()).not.toMatch(warning);
});

test('marks the active run of repeated runs', async () => {
  const io = testIo(root, FAST);
  const run = main(profileArguments('several', '--request-count', '50', '--num-profile-runs', '2'), io);
  const second = join('several', 'profile_runs', 'run_0002');
  await until(() => linesIn(join(root, second)) > 0);
  expect(await marked('several', 'the second')).toEqual([0, expect.stringMatching(/^noted at/)]);
  expect(await run, io.err.join('')).toBe(0);
  expect(marksIn(second)).toEqual([['note', 'the second', 'me']]);
  expect(marksIn(join('several', 'profile_runs', 'run_0001'))).toEqual([]);
});

test('recovers notes of a killed run and removes its socket', async () => {
  const folder = join(root, 'killed');
  let note: ReturnType<typeof marked> | undefined;
  let isNoted = false;
  await killedProfile(url, folder, [...SHORT, '--benchmark-duration', '1000'], () => {
    if (linesIn(folder) > 0)
      note ??= marked('killed', 'hello').finally(() => {
        isNoted = true;
      });
    return isNoted;
  });
  expect((await note)?.[0]).toBe(0);
  expect(readdirSync(folder)).toContain('servelens.sock');
  const io = testIo(root, FAST);
  expect(await main(['recover', 'killed'], io), io.err.join('')).toBe(0);
  expect(io.err.join('')).not.toContain('still active');
  expect(marksIn('killed')).toEqual([['note', 'hello', 'me']]);
  expect(readdirSync(folder)).not.toContain('servelens.sock');
});

test('recover warns that the run is still active', async () => {
  const io = testIo(root, FAST);
  const folder = join(root, 'alive');
  mkdirSync(folder);
  const run = main(profileArguments('alive', '--request-count', '100'), io);
  await until(() => linesIn(folder) > 2);
  const other = testIo(root);
  expect(await main(['recover', 'alive'], other), other.err.join('')).toBe(0);
  expect(other.err.join('')).toMatch(/the run in .*alive is still active/);
  expect(existsSync(join(folder, 'servelens.sock'))).toBe(true);
  expect(await run, io.err.join('')).toBe(0);
  expect(JSON.parse(readFileSync(join(folder, 'profile_export_aiperf.json'), 'utf8')).was_cancelled).toBe(
    false,
  );
});
