import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerMetricsDocument } from '@org/formats';
import { expect, test } from 'vitest';
import { killProfile } from '../support/killedProfile.ts';
import { countRequests, MODEL } from '../support/profileRun.ts';
import { FAST_SCRAPES, runServelens } from '../support/servelens.ts';
import { startSimulator } from '../support/simulator.ts';
import { makeSuiteFolder } from '../support/temporaryFolder.ts';

const LOAD = [
  ...['--streaming', '--isl', '20', '--osl', '12', '--use-server-token-count', '--concurrency', '4'],
  ...['--server-metrics-formats', 'json'],
];

const { url } = await startSimulator({ seed: 5 });
const root = makeSuiteFolder();

/** Runs `servelens profile` with an artifact folder below `root`. */
async function profileInto(name: string, ...args: string[]): ReturnType<typeof runServelens> {
  const fixed = ['profile', '--model', MODEL, '--url', url, '--artifact-dir', join(root, name), ...LOAD];
  return runServelens([...fixed, ...args], { cwd: root, env: FAST_SCRAPES });
}

/** Runs `servelens mark`. Returns its exit code, and stdout and stderr as one text. */
async function mark(name: string, ...words: string[]): Promise<[code: number, text: string]> {
  const { code, out, err } = await runServelens(['mark', '--folder', name, '--sender', 'me', ...words], {
    cwd: root,
  });
  return [code, out + err];
}

/** Waits until the run in a folder has completed more than `count` requests. */
async function waitForRequests(name: string, count = 0): Promise<void> {
  while (countRequests(join(root, name)) <= count) await sleep(10);
}

/** Lists the marks in the exports of a run as kind, text and sender. */
function listMarks(name: string): unknown[] {
  const text = readFileSync(join(root, name, 'server_metrics_export.json'), 'utf8');
  const { summary } = JSON.parse(text) as ServerMetricsDocument;
  return (summary.marks ?? []).map(({ kind, text: note, sender }) => [kind, note, sender]);
}

test('exports notes, and rejects marks that change the phase', async () => {
  // Loads the `mark` command before the run starts, so that the first mark is sent while the run is active.
  expect((await mark('.', 'no run'))[0]).toBe(3);
  const run = profileInto('noted', '--request-count', '120', '--warmup-request-count', '4');
  await waitForRequests('noted');
  expect(await mark('noted', 'longer', 'prompts')).toEqual([0, expect.stringMatching(/^noted at 20/)]);
  for (const phase of ['profiling-start', 'profiling-end'])
    expect(await mark('noted', phase)).toEqual([1, expect.stringContaining('accepts only notes')]);
  const { code, err } = await run;
  expect(code, err).toBe(0);
  expect(listMarks('noted')).toEqual([['note', 'longer prompts', 'me']]);
  expect(err).toContain('mark by me: longer prompts');
  expect(readdirSync(join(root, 'noted')).filter(name => name.includes('sock'))).toEqual([]);
  expect(await mark('noted', 'too late')).toEqual([3, expect.stringContaining('no active run')]);
});

test('refuses a folder in which another run is active, unless the prefixes differ', async () => {
  const longRun = profileInto('shared', '--request-count', '160');
  await waitForRequests('shared');
  const { code, err } = await profileInto('shared', '--request-count', '4');
  expect(err).toMatch(
    /invalid --artifact-dir ".*shared": another run is active in this folder \(process \d+\)/,
  );
  expect(code).toBe(2);
  expect((await profileInto('shared', '--request-count', '4', '--profile-export-prefix', 'p')).code).toBe(0);
  expect((await longRun).code).toBe(0);
  expect((await profileInto('shared', '--request-count', '4')).code).toBe(0);
});

test('marks the active run of repeated runs', async () => {
  const run = profileInto('repeated', '--request-count', '50', '--num-profile-runs', '2');
  const second = join('repeated', 'profile_runs', 'run_0002');
  await waitForRequests(second);
  expect(await mark('repeated', 'second run')).toEqual([0, expect.stringMatching(/^noted at/)]);
  const { code, err } = await run;
  expect(code, err).toBe(0);
  expect(listMarks(second)).toEqual([['note', 'second run', 'me']]);
  expect(listMarks(join('repeated', 'profile_runs', 'run_0001'))).toEqual([]);
});

test('recovers notes of a killed run and removes its socket', async () => {
  const folder = join(root, 'killed');
  let note: ReturnType<typeof mark> | undefined;
  let isNoted = false;
  await killProfile(url, folder, [...LOAD, '--benchmark-duration', '1000'], () => {
    if (countRequests(folder) > 0)
      note ??= mark('killed', 'hello').finally(() => {
        isNoted = true;
      });
    return isNoted;
  });
  expect((await note)?.[0]).toBe(0);
  expect(readdirSync(folder)).toContain('servelens.sock');
  const { code, err } = await runServelens(['recover', 'killed'], { cwd: root, env: FAST_SCRAPES });
  expect(code, err).toBe(0);
  expect(err).not.toContain('still active');
  expect(listMarks('killed')).toEqual([['note', 'hello', 'me']]);
  expect(readdirSync(folder)).not.toContain('servelens.sock');
});

test('recover warns that the run is still active', async () => {
  const folder = join(root, 'active');
  mkdirSync(folder);
  const run = profileInto('active', '--request-count', '100');
  await waitForRequests('active', 2);
  const recovery = await runServelens(['recover', 'active'], { cwd: root });
  expect(recovery.code, recovery.err).toBe(0);
  expect(recovery.err).toMatch(/the run in .*active is still active/);
  expect(existsSync(join(folder, 'servelens.sock'))).toBe(true);
  const { code, err } = await run;
  expect(code, err).toBe(0);
  const document = JSON.parse(readFileSync(join(folder, 'profile_export_aiperf.json'), 'utf8'));
  expect(document.was_cancelled).toBe(false);
});
