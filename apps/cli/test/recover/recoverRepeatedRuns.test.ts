import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  fromPath,
  type ProfileAggregate,
  type ProfileExport,
  type ProfileSweep,
  validate,
} from '@org/formats';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { killProfile } from '../support/killedProfile.ts';
import { countRequests, getMetric, MODEL } from '../support/profileRun.ts';
import { FAST_SCRAPES, runServelens } from '../support/servelens.ts';
import { startSimulator } from '../support/simulator.ts';
import { makeSuiteFolder } from '../support/temporaryFolder.ts';

const PLAN_JOURNAL = 'profile_runs.journal';
const SHORT_REQUESTS = [
  ...['--streaming', '--isl', '20', '--osl', '12', '--use-server-token-count'],
  ...['--server-metrics-formats', 'json'],
];
const TWELVE_REQUESTS = [...SHORT_REQUESTS, '--request-count', '12', '--vary-seed-per-trial'];

const { url } = await startSimulator({ seed: 4 });
const root = makeSuiteFolder();

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(join(root, path), 'utf8')) as T;
}

async function recover(folder: string, ...options: string[]): ReturnType<typeof runServelens> {
  return runServelens(['recover', folder, ...options], { cwd: root });
}

describe('repeated runs whose third run is killed', () => {
  const folder = join(root, 'runs');
  const aggregatePath = join('runs', 'aggregate', 'profile_export_aiperf_aggregate.json');
  const getRunFolder = (run: number): string => join(folder, 'profile_runs', `run_000${run}`);
  let log = '';
  beforeAll(async () => {
    const args = [...TWELVE_REQUESTS, '--num-profile-runs', '4', '--profile-export-prefix', 'p'];
    const requests = join(getRunFolder(3), 'p.jsonl');
    const isTimeToKill = (): boolean => existsSync(requests) && readFileSync(requests, 'utf8').includes('\n');
    await killProfile(url, folder, args, isTimeToKill);
    const { code, err } = await recover(folder);
    expect(code, err).toBe(0);
    log = err;
  });

  test('have an aggregate of the two complete runs', async () => {
    const aggregate = readJson<ProfileAggregate>(aggregatePath);
    expect((await validate(fromPath(join(root, aggregatePath)))).issues).toEqual([]);
    expect(aggregate.metadata).toMatchObject({
      num_profile_runs: 3,
      run_labels: ['run_0001', 'run_0002'],
      failed_runs: [{ label: 'run_0003', error: 'killed' }],
      was_cancelled: true,
    });
    const documents = [1, 2].map(run => readJson<ProfileExport>(`runs/profile_runs/run_000${run}/p.json`));
    const latencies = documents.map(document => getMetric(document, 'request_latency').avg!);
    expect(aggregate.metrics.request_latency_avg!.mean).toBeCloseTo((latencies[0]! + latencies[1]!) / 2, 9);
    expect(Object.keys(aggregate.server_metrics!)).toContain('vllm:request_success');
    const collated = readJson<{ metrics: Record<string, { combined: { count: number } }> }>(
      'runs/aggregate/profile_export_aiperf_collated.json',
    );
    expect(collated.metrics.request_latency!.combined.count).toBe(24);
  });

  test('have the exports of the killed run, with a warning', async () => {
    const document = readJson<ProfileExport>('runs/profile_runs/run_0003/p.json');
    expect(document).toMatchObject({ was_cancelled: true, run_info: { run_label: 'run_0003', trial: 2 } });
    expect((await validate(fromPath(join(getRunFolder(3), 'p_server_metrics.json')))).valid).toBe(true);
    expect(log).toMatch(/recovering runs\/profile_runs\/run_0003\n.*requests?, killed/);
    expect(log).toContain('2 of 4 runs are complete');
    expect(existsSync(getRunFolder(4))).toBe(false);
  });

  test('can be recovered individually if they have a journal', async () => {
    expect((await recover(getRunFolder(3))).code).toBe(0);
    const complete = await recover(getRunFolder(1));
    expect(complete.code).toBe(2);
    expect(complete.err).toContain('no journal in');
  });

  test('are recovered, except for runs with an invalid journal', async () => {
    const journal = join(getRunFolder(2), 'server_metrics.journal');
    writeFileSync(journal, 'none');
    const { code, err } = await recover(folder);
    rmSync(journal);
    expect(code).toBe(1);
    expect(err).toMatch(/server_metrics\.journal.*\n.*run_0003/);
    expect(err).toContain('2 of 4 runs are complete');
  });

  test('can be recovered by the path of their plan', async () => {
    const { code, err } = await recover(join(folder, PLAN_JOURNAL));
    expect(code).toBe(0);
    expect(err).toContain('2 of 4 runs are complete');
  });

  test('are recovered without aggregates if the plan is invalid or missing', async () => {
    const plan = join(folder, PLAN_JOURNAL);
    const content = readFileSync(plan);
    for (const [invalid, reason] of [
      ['garbage', 'contains no plan: cannot read the journal'],
      [content.subarray(0, 100), 'contains no plan'],
    ] as const) {
      writeFileSync(plan, invalid);
      const { code, err } = await recover(folder);
      expect(code).toBe(0);
      expect(err).toContain(`${PLAN_JOURNAL} ${reason}`);
    }
    rmSync(plan);
    const { code, err } = await recover(folder);
    writeFileSync(plan, content);
    expect(code).toBe(0);
    expect(err).toContain('is not in this folder');
  });

  test('are not changed if an option is invalid', async () => {
    const { ino } = statSync(join(root, aggregatePath));
    const { code, err } = await recover(folder, '--slice-duration', 'long');
    expect(code).toBe(2);
    expect(err).toMatch(/^servelens: invalid --slice-duration "long": .*\n$/);
    expect(statSync(join(root, aggregatePath)).ino).toBe(ino);
  });
});

describe('unreadable runs', () => {
  const folder = join(root, 'unreadable');
  const getRunFolder = (run: number): string => join(folder, 'profile_runs', `run_000${run}`);
  beforeEach(() => mkdirSync(getRunFolder(1), { recursive: true }));
  afterEach(() => rmSync(folder, { recursive: true }));

  test('are reported individually, and so is an unreadable plan', async () => {
    writeFileSync(getRunFolder(2), 'a file where a folder should be');
    mkdirSync(join(folder, PLAN_JOURNAL));
    const { code, err } = await recover(folder);
    expect(code).toBe(1);
    expect(err).toMatch(/run_0002" is not a journal/);
    expect(err).toContain(`no aggregates: ${PLAN_JOURNAL} contains no plan: `);
    expect(err).toContain('not a regular file');
  });

  test('without a journal are reported together with the problem of the plan', async () => {
    writeFileSync(join(folder, PLAN_JOURNAL), 'garbage');
    const { code, err } = await recover(folder);
    expect(code).toBe(2);
    expect(err).toMatch(/no run in .*unreadable" has a journal; .*it is not a Servelens journal/);
  });
});

test('reports that runs are still active during a cool-down', async () => {
  const folder = join(root, 'cooling');
  const firstRun = join(folder, 'profile_runs', 'run_0001');
  const options = [
    '--vary-seed-per-trial',
    '--num-profile-runs',
    '2',
    '--profile-run-cooldown-seconds',
    '1000',
  ];
  let recovery: Promise<{ readonly err: string }> | undefined;
  let log: string | undefined;
  await killProfile(url, folder, [...SHORT_REQUESTS, '--request-count', '4', ...options], () => {
    const isComplete =
      existsSync(join(firstRun, 'profile_export_aiperf.json')) &&
      !existsSync(join(firstRun, 'server_metrics.journal'));
    if (isComplete && recovery === undefined) {
      recovery = recover(folder);
      void recovery.then(({ err }) => {
        log = err;
      });
    }
    return log !== undefined;
  });
  expect(log).toContain('the runs in cooling are still active; exporting their data so far');
  expect(log).toContain('1 of 2 runs are complete');
  expect((await recover(folder)).err).not.toContain('still active');
});

test('a sweep that is killed in its second variation keeps the first variation', async () => {
  const folder = join(root, 'sweep');
  const second = join(folder, 'concurrency_2');
  await killProfile(
    url,
    folder,
    [...SHORT_REQUESTS, '--request-count', '24', '--concurrency', '3,2,1'],
    () => countRequests(second) > 0,
  );
  const { code, err, out } = await recover(folder);
  expect(code, err).toBe(0);
  const path = join('sweep', 'sweep_aggregate', 'profile_export_aiperf_sweep.json');
  expect((await validate(fromPath(join(root, path)))).issues).toEqual([]);
  const sweep = readJson<ProfileSweep>(path);
  expect(sweep).toMatchObject({
    num_profile_runs: 2,
    num_successful_runs: 1,
    failed_runs: [{ label: 'concurrency_2/run_0001', error: 'killed' }],
    metadata: { was_cancelled: true, sweep_parameters: [{ name: 'concurrency', values: [3, 2] }] },
  });
  const first = readJson<ProfileExport>('sweep/concurrency_3/profile_export_aiperf.json');
  expect(sweep.metadata.sweep_id).toBe(first.run_info!.sweep_id);
  const throughput = sweep.per_combination_metrics[0]!.metrics.request_throughput!.mean;
  expect(throughput).toBe(getMetric(first, 'request_throughput').avg);
  expect(out).toMatch(/concurrency_3 +1 .*\n/);
  expect(readFileSync(join(folder, PLAN_JOURNAL), 'latin1')).not.toContain('artifact-dir');
});

test('completed runs leave no plan, so there is nothing to recover', async () => {
  const folder = join(root, 'complete');
  const args = ['profile', '--model', MODEL, '--url', url, '--artifact-dir', folder, ...TWELVE_REQUESTS];
  const { code, err } = await runServelens([...args, '--num-profile-runs', '2', '--concurrency', '4'], {
    cwd: root,
    env: FAST_SCRAPES,
  });
  expect(code, err).toBe(0);
  expect(readdirSync(folder).sort()).toEqual(['aggregate', 'profile_runs']);
  const recovery = await recover(folder);
  expect(recovery.code).toBe(2);
  expect(recovery.err).toContain('contains 2 runs but no journal');
});

test('runs that have converged are recovered with their convergence, and without a warning', async () => {
  const folder = join(root, 'converged');
  const aggregate = join('converged', 'aggregate', 'profile_export_aiperf_aggregate.json');
  const rule = ['--convergence-metric', 'request_count', '--convergence-mode', 'cv'];
  const args = ['--model', MODEL, '--url', url, '--artifact-dir', folder, '--num-profile-runs', '4', ...rule];
  const { code, err } = await runServelens(
    ['profile', ...args, ...SHORT_REQUESTS, '--request-count', '3', '--keep-journal'],
    { cwd: root, env: FAST_SCRAPES },
  );
  expect(code, err).toBe(0);
  const { metadata } = readJson<ProfileAggregate>(aggregate);
  expect(metadata.convergence).toMatchObject({ metric: 'request_count', runs: 2, converged: true });
  rmSync(join(root, aggregate));
  const recovery = await recover(folder);
  expect(recovery.code, recovery.err).toBe(0);
  expect(recovery.err).toMatch(/^INFO .*2 of 4 runs are complete; 2 runs skipped after convergence$/m);
  expect(readJson<ProfileAggregate>(aggregate).metadata).toEqual(metadata);
});
