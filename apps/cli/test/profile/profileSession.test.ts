import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fromPath, validate } from '@org/formats';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startFailingServer } from '../support/failingServer.ts';
import { countRequests, MODEL, readClientExports } from '../support/profileRun.ts';
import { FAST_SCRAPES, runServelens, type ServelensProcess, startServelens } from '../support/servelens.ts';
import { startSimulator } from '../support/simulator.ts';
import { makeTestFolder } from '../support/temporaryFolder.ts';

const { simulator, url } = await startSimulator({ seed: 3 });
const failingServer = await startFailingServer();

/** Runs `servelens profile` in a temporary folder. */
async function profileInFolder(
  ...args: string[]
): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const folder = makeTestFolder();
  return runServelens(['profile', '--model', 'm', '--artifact-dir', folder, ...args], {
    cwd: folder,
    env: FAST_SCRAPES,
  });
}

test.each([
  [4, 0, ' 2 of 4 requests failed', ''],
  [5, 1, ' 3 of 5 requests failed', '3 of 5 requests failed (60.0%), more than half'],
])(
  'prints failures of %d requests first, and exits with %d',
  async (requests, expectedCode, title, error) => {
    failingServer.reset();
    const { code, out, err } = await profileInFolder(
      '--url',
      failingServer.url,
      '--request-count',
      String(requests),
      '--isl',
      '10',
    );
    expect(code).toBe(expectedCode);
    expect(out.trimStart().split('\n')[0]).toBe(title.trim());
    expect(err).toContain(error);
    expect(out).toMatch(/1 +\d+\.\d% {2}HttpError 429: .*slow down/);
    expect(out).toMatch(/Request Latency/);
  },
);

test('exits with 1 if no request succeeded', async () => {
  const { code, out, err } = await profileInFolder(
    '--url',
    'localhost:1',
    '--request-count',
    '3',
    '--isl',
    '10',
  );
  expect(code).toBe(1);
  expect(out).toMatch(/3 {2}100\.0% {2}ConnectionRefused: connect ECONNREFUSED/);
  expect(out).not.toMatch(/^ Client /m);
  expect(err).toMatch(/all 3 requests failed/);
});

test('exits with 1 if required server metrics are missing', async () => {
  failingServer.reset();
  const args = ['--url', failingServer.url, '--request-count', '3', '--isl', '10'];
  const { code, err } = await profileInFolder(...args, '--require-server-metrics');
  expect(code).toBe(1);
  expect(err).toMatch(/--require-server-metrics: no data from http/);
});

test('reports inputs without timestamps before the probe, and leaves no folder', async () => {
  const cwd = makeTestFolder();
  const inputs = join(makeTestFolder(), 'inputs.jsonl');
  writeFileSync(inputs, '{"text":"no timestamp"}\n');
  const { code, err } = await runServelens(
    ['profile', '--model', MODEL, '--url', url, '--input-file', inputs, '--fixed-schedule'],
    { cwd, env: FAST_SCRAPES },
  );
  expect(code).toBe(2);
  expect(err).toMatch(/--fixed-schedule: the inputs have no timestamps/);
  expect(err).not.toMatch(/Server metrics/);
  expect(readdirSync(cwd)).toEqual([]);
});

describe('an active run', () => {
  const LOAD = [
    ...['--streaming', '--concurrency', '3', '--isl', '20', '--osl', '20', '--use-server-token-count'],
    ...['--benchmark-duration', '1000'],
  ];

  /** Starts a run that only a signal ends, and waits for its first requests. */
  async function startRun(): Promise<{ readonly folder: string; readonly run: ServelensProcess }> {
    const folder = makeTestFolder();
    const args = ['profile', '--model', MODEL, '--url', url, '--artifact-dir', folder, ...LOAD];
    const run = startServelens(args, { cwd: process.cwd(), env: FAST_SCRAPES });
    await run.waitUntil(() => countRequests(folder) >= 6);
    return { folder, run };
  }

  test('is ended by Ctrl-C, with all exports', async () => {
    const { folder, run } = await startRun();
    run.kill('SIGINT');
    const { code, err } = await run.ended;
    expect(code).toBe(130);
    expect(err).toMatch(/ending the run: in-flight requests are cancelled; press Ctrl-C again to quit/);
    const { document, records } = await readClientExports(folder);
    expect(document.was_cancelled).toBe(true);
    expect(records.length).toBeGreaterThanOrEqual(6);
    const names = readdirSync(folder);
    expect(names).toContain('server_metrics_export.json');
    for (const name of names) expect((await validate(fromPath(join(folder, name)))).valid, name).toBe(true);
  });

  test('quits immediately at a second Ctrl-C, and names the folder to recover', async () => {
    const { folder, run } = await startRun();
    // The last scrape waits two seconds for a server that does not respond.
    simulator.control.inject({ kind: 'stall', seconds: 20 });
    onTestFinished(() => simulator.control.clear());
    const timer = setInterval(() => run.kill('SIGINT'), 500);
    onTestFinished(() => clearInterval(timer));
    const { code, err } = await run.ended;
    expect(code).toBe(130);
    expect(err).toMatch(/quitting without exports; the requests so far are in the \.jsonl file/);
    expect(err).toMatch(/servelens recover/);
    const names = readdirSync(folder);
    expect(names).toContain('server_metrics.journal');
    expect(names).not.toContain('profile_export_aiperf.json');
  });

  test('keeps its requests and the journal of server metrics if it is killed', async () => {
    const { folder, run } = await startRun();
    run.kill('SIGKILL');
    expect((await run.ended).signal).toBe('SIGKILL');
    expect(countRequests(folder)).toBeGreaterThanOrEqual(6);
    const { issues } = await validate(fromPath(join(folder, 'profile_export.jsonl')));
    expect(issues.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect((await runServelens(['recover', folder], { cwd: folder })).code).toBe(0);
    expect((await validate(fromPath(join(folder, 'server_metrics_export.json')))).valid).toBe(true);
  });
});
