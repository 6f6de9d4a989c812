import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  fromPath,
  readProfileAggregate,
  readProfileCollated,
  readProfileExport,
  readProfileSweep,
} from '@org/formats/read';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { main } from '../../src/main.ts';
import { type Behavior, startHostileServer } from '../support/hostileServer.ts';
import { createIo } from '../support/io.ts';
import { MODEL } from '../support/profileRun.ts';
import { FAST_SCRAPES } from '../support/servelens.ts';
import { startSimulator } from '../support/simulator.ts';
import { makeSuiteFolder } from '../support/temporaryFolder.ts';
import { findIssues } from '../support/validation.ts';

const { url } = await startSimulator({ seed: 5, speed: 8 });
const root = makeSuiteFolder();

const SMALL_LOAD = [
  ...['--streaming', '--isl', '20', '--osl', '4', '--request-count', '6'],
  '--use-server-token-count',
];

/** Runs `servelens profile` with an artifact folder below `root`. */
async function profileInto(
  name: string,
  args: readonly string[],
  { serverUrl = url, io = createIo(root, FAST_SCRAPES), load = SMALL_LOAD } = {},
): Promise<{ readonly exitCode: number; readonly out: string; readonly err: string }> {
  const fixed = ['profile', '-m', MODEL, '-u', serverUrl, '--artifact-dir', name, ...load];
  const exitCode = await main([...fixed, ...args], io);
  return { exitCode, out: io.out.join(''), err: io.err.join('') };
}

describe('a sweep with repeated runs', () => {
  let result: Awaited<ReturnType<typeof profileInto>>;

  beforeAll(async () => {
    result = await profileInto('sweep', [
      ...['--concurrency', '1,3', '--num-profile-runs', '2', '--random-seed', '9'],
      ...['--server-metrics-formats', 'json', '--slice-duration', '0.001'],
    ]);
  });

  test('warns once, not in each run, about timeslices that are shorter than the update interval', () => {
    const warnings = result.err
      .split('\n')
      .filter(line => line.includes('each sample interval is a timeslice'));
    expect(warnings).toHaveLength(1);
  });

  test('succeeds and prints a line for each variation', () => {
    expect(result.exitCode).toBe(0);
    expect(result.out).toMatch(/^ . concurrency_1\s+2\s+0\s+\S+ ±\S+/m);
    expect(result.out).toMatch(/^ . concurrency_3\s+2\s+0\s/m);
    expect(result.err).toContain('run 4 of 4: concurrency_3, run_0002');
    expect(result.err).not.toContain('Warning');
  });

  test('writes valid files', async () => {
    expect(await findIssues(join(root, 'sweep'))).toEqual([]);
  });

  test('records the label, seed, repeat and variation of each run', async () => {
    const sweep = await readProfileSweep(
      fromPath(join(root, 'sweep/aggregate/sweep_aggregate/profile_export_aiperf_sweep.json')),
    );
    const { run_info: info } = await readProfileExport(
      fromPath(join(root, 'sweep/profile_runs/trial_0002/concurrency_3/profile_export_aiperf.json')),
    );
    expect(info).toMatchObject({
      sweep_id: sweep.metadata.sweep_id,
      random_seed: 10,
      trial: 1,
      run_label: 'run_0002',
      variation_label: 'concurrency_3',
      variation_index: 1,
      variation_values: { 'phases.profiling.concurrency': 3 },
    });
  });

  test('aggregates client and server metrics of the runs', async () => {
    const folder = join(root, 'sweep/aggregate/concurrency_1');
    const aggregate = await readProfileAggregate(
      fromPath(join(folder, 'profile_export_aiperf_aggregate.json')),
    );
    const documents = await Promise.all(
      [1, 2].map(async run => {
        const file = join(
          root,
          `sweep/profile_runs/trial_000${run}/concurrency_1/profile_export_aiperf.json`,
        );
        return (await readProfileExport(fromPath(file))) as { request_throughput?: { avg: number } };
      }),
    );
    const mean = (documents[0]!.request_throughput!.avg + documents[1]!.request_throughput!.avg) / 2;
    expect(aggregate.metrics.request_throughput_avg!.mean).toBeCloseTo(mean, 9);
    expect(aggregate.metrics.request_count_avg).toMatchObject({ mean: 6, std: 0 });
    const { series } = aggregate.server_metrics!['vllm:request_success']!;
    const total = series.reduce((sum, { stats }) => sum + stats.total!.mean, 0);
    expect(total).toBe(6);
    const collated = await readProfileCollated(fromPath(join(folder, 'profile_export_aiperf_collated.json')));
    expect(collated.metrics.request_latency!.combined.count).toBe(12);
  });
});

test('a sweep without repeats has one run per variation folder and no confidence intervals', async () => {
  const { exitCode, out } = await profileInto('single', ['--request-rate', '50,100', '--no-server-metrics']);
  expect(exitCode).toBe(0);
  expect(readdirSync(join(root, 'single')).sort()).toEqual([
    'aggregate',
    'rate_100.0',
    'rate_50.0',
    'sweep_aggregate',
  ]);
  expect(existsSync(join(root, 'single/rate_50.0/profile_export_aiperf.json'))).toBe(true);
  expect(out).toContain('no confidence intervals: one run of each variation');
  expect(await findIssues(join(root, 'single'))).toEqual([]);
});

test('writes no aggregate, and warns, if all repeated runs fail', async () => {
  const { exitCode, err } = await profileInto(
    'failing',
    ['--num-profile-runs', '2', '--no-server-metrics', '--concurrency', '2'],
    { serverUrl: 'http://127.0.0.1:9' },
  );
  expect(exitCode).toBe(1);
  expect(err).toMatch(/run_0001 failed and is excluded from aggregates: all 6 requests failed: /);
  expect(err).toContain('2 of 2 runs failed');
  expect(err).toContain('no confidence intervals: 0 of at least 2 runs were successful');
  expect(existsSync(join(root, 'failing/aggregate'))).toBe(false);
});

const hostileServer = await startHostileServer();

describe('repeated runs and sweeps with failures', () => {
  const profileHostile = (name: string, behaviors: readonly Behavior[], args: readonly string[]) => {
    hostileServer.reset(behaviors);
    return profileInto(name, args, { serverUrl: hostileServer.url, load: ['--isl', '10'] });
  };

  test('count failed requests of all runs, and exit with 1 if most requests of a run failed', async () => {
    const { exitCode, out, err } = await profileHostile(
      'failures',
      ['ok', 'error500', 'error500'],
      ['--concurrency', '1,2', '--request-count', '6', '--no-server-metrics'],
    );
    expect(exitCode).toBe(1);
    expect(out).toMatch(/^ . concurrency_1\s+1\s+4 \(66\.7%\)/m);
    expect(err).toContain('concurrency_1: 4 of 6 requests failed (66.7%), more than half');
    const path = join(root, 'failures/sweep_aggregate/profile_export_aiperf_sweep.json');
    const { per_combination_metrics: variations } = await readProfileSweep(fromPath(path));
    expect(variations.map(({ requests }) => requests)).toEqual([
      { succeeded: 2, failed: 4, cancelled: 0 },
      { succeeded: 2, failed: 4, cancelled: 0 },
    ]);
    expect(await findIssues(join(root, 'failures'))).toEqual([]);
  });

  test('exclude runs that --failed-request-threshold aborted', async () => {
    const { exitCode, out, err } = await profileHostile(
      'aborted',
      ['ok', 'ok', 'error500', 'ok'],
      ['--request-count', '12,60', '--failed-request-threshold', '0.2', '--no-server-metrics'],
    );
    expect(exitCode).toBe(1);
    expect(err).toMatch(
      /request_count_12 failed and is excluded from aggregates: run aborted: 3 of 1\d requests/,
    );
    expect(err).toContain('2 of 2 runs failed');
    expect(out).toMatch(/^ {3}request_count_12\s+0\s+3 \(/m);
  });

  test('exit with 1 if --require-server-metrics is not met', async () => {
    const { exitCode, err } = await profileHostile(
      'required',
      ['ok'],
      ['--num-profile-runs', '2', '--require-server-metrics', '--request-count', '2'],
    );
    expect(exitCode).toBe(1);
    expect(err).toMatch(/--require-server-metrics: run_0002: no data from http/);
  });
});

test('Ctrl-C keeps completed runs', async () => {
  const io = createIo(root, FAST_SCRAPES);
  const args = ['--num-profile-runs', '4', '--profile-run-cooldown-seconds', '600', '--no-server-metrics'];
  const runs = profileInto('interrupted', args, { io });
  await vi.waitFor(() => expect(io.err.join('')).toContain('cooling down'), 50_000);
  process.emit('SIGINT', 'SIGINT');
  const { exitCode, err } = await runs;
  expect(exitCode).toBe(130);
  expect(err).toContain('interrupted: 1 of 4 runs are complete');
  expect(readdirSync(join(root, 'interrupted/profile_runs'))).toEqual(['run_0001']);
});

test('replaces the runs of an earlier benchmark, unless other files are among them', async () => {
  const folder = join(root, 'interrupted');
  const notes = join(folder, 'profile_runs/notes.txt');
  writeFileSync(notes, '');
  const refused = await profileInto('interrupted', ['--concurrency', '1,2']);
  expect(refused.exitCode).toBe(2);
  expect(refused.err).toMatch(
    /invalid --artifact-dir ".*interrupted": contains profile_runs\/notes\.txt among the runs of an earlier benchmark/,
  );
  rmSync(notes);
  const replaced = await profileInto('interrupted', ['--concurrency', '1,2', '--no-server-metrics']);
  expect(replaced.err).not.toContain('invalid');
  expect(readdirSync(folder).sort()).toEqual([
    'aggregate',
    'concurrency_1',
    'concurrency_2',
    'sweep_aggregate',
  ]);
});

test.each([
  [['--concurrency', '1,x'], /invalid --concurrency "1,x": "x" is not a number/],
  [['--concurrency', '1,0'], /invalid --concurrency 0: expected an integer of at least 1/],
  [['--profile-run-cooldown-seconds', '1'], /--profile-run-cooldown-seconds requires --num-profile-runs/],
])('rejects %j', async (args, message) => {
  const { exitCode, err } = await profileInto('none', args);
  expect(exitCode).toBe(2);
  expect(err).toMatch(message);
});
