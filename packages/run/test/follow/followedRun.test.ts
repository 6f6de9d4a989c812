import { appendFileSync, readFileSync, utimesSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { openRun } from '@org/analysis';
import type { ServerMetricsDocument } from '@org/formats';
import { recoverRun } from '@org/record/journal';
import { JournalWriter, parseMetricsTarget } from '@org/scrape';
import { expect, test } from 'vitest';
import { checkWatchedFolder, FollowedRun } from '../../src/follow/index.ts';
import { collect, profile } from '../../src/index.ts';
import { createCollectPlan, createFolder, createProfilePlan, startSimulator } from '../plans.ts';

const KEEP_JOURNAL = { storage: { keepJournal: true }, exports: { formats: ['json', 'jsonl'] } } as const;
const JOURNAL = 'server_metrics.journal';
const REQUESTS = 'profile_export.jsonl';

const GPUS = 'gpu_telemetry_export.jsonl';

const url = await startSimulator({ arrivalRate: 20, gpus: 2 });

/** Returns the statistics of each series. Whether a series was created in the run is known when it has ended. */
function listSeries({ metrics }: Pick<ServerMetricsDocument, 'metrics'>): unknown {
  return Object.fromEntries(Object.entries(metrics).map(([name, { series }]) => [name, series]));
}

test('has the statistics of the exports once it has read everything, in pieces', async () => {
  const plan = createProfilePlan(url, KEEP_JOURNAL);
  const { document } = await profile(plan);
  const journal = readFileSync(join(plan.folder, JOURNAL));
  const requests = readFileSync(join(plan.folder, REQUESTS));
  const folder = createFolder();
  const followed = new FollowedRun(folder);
  for (let part = 1; part <= 5; part++) {
    for (const [name, bytes] of [
      [JOURNAL, journal],
      [REQUESTS, requests],
    ] as const) {
      const ends = [part - 1, part].map(end => Math.floor((bytes.length * end) / 5));
      appendFileSync(join(folder, name), bytes.subarray(...(ends as [number, number])));
    }
    await followed.read();
  }
  const { run, state, requests: charted, listSamples } = (await followed.read())!;
  const written = await openRun(plan.folder);
  expect(state).toBe('exporting');
  expect(listSeries(run.view as ServerMetricsDocument)).toEqual(
    listSeries(written.view as ServerMetricsDocument),
  );
  const { time_to_first_token, request_latency, request_count } = document;
  expect(run.profile).toMatchObject({ time_to_first_token, request_latency, request_count });
  expect(charted).toHaveLength(10);
  const names = new Set(['vllm:num_requests_running']);
  const lines = readFileSync(join(plan.folder, 'server_metrics_export.jsonl'), 'utf8').trim().split('\n');
  const samples = [...listSamples!(names)];
  expect(samples.map(({ metrics }) => Object.keys(metrics))).toEqual(samples.map(() => [...names]));
  expect(samples).toHaveLength(lines.filter(line => line.includes('vllm:num_requests_running')).length);
});

test('has the timeslices, GPU samples and energy of the exports once it has read everything, in pieces', async () => {
  const exporters = [parseMetricsTarget(`${url}/gpus/metrics`)];
  const plan = createProfilePlan(url, {
    ...KEEP_JOURNAL,
    exports: { formats: ['json'], sliceSeconds: 0.2 },
    gpuTelemetry: { exporters, probes: [], commands: [], fallbacks: [], gpus: [] },
    profiling: { concurrency: 2, durationS: 1 },
  });
  const { document } = await profile(plan);
  const folder = createFolder();
  const followed = new FollowedRun(folder);
  for (let part = 1; part <= 4; part++) {
    for (const name of [JOURNAL, REQUESTS, GPUS]) {
      const bytes = readFileSync(join(plan.folder, name));
      const ends = [part - 1, part].map(end => Math.floor((bytes.length * end) / 4));
      appendFileSync(join(folder, name), bytes.subarray(...(ends as [number, number])));
    }
    await followed.read();
  }
  const { run } = (await followed.read())!;
  const written = await openRun(plan.folder);
  expect(run.gpus).toHaveLength(2);
  expect(run.gpus).toEqual(written.gpus);
  const { nvidia_total_gpu_energy: energy, nvidia_energy_per_request: perRequest } = run.profile!;
  expect(energy).toBeDefined();
  expect([energy, perRequest]).toEqual([
    document.nvidia_total_gpu_energy,
    document.nvidia_energy_per_request,
  ]);
  expect(run.endedRequests.size).toBeGreaterThan(0);
  expect(run.endedRequests).toEqual(written.endedRequests);
  expect(run.notes).toEqual([
    'The counts of the client and the servers are compared when the run has ended.',
  ]);
});

test('describes a running collect run, and then its exports', async () => {
  const plan = createCollectPlan(url, { durationSeconds: 600, exports: { formats: ['json'] } });
  const followed = new FollowedRun(plan.folder, Date.now());
  const stop = new AbortController();
  expect(await followed.read()).toBeUndefined();
  const end = collect(plan, { signal: stop.signal });
  const states: unknown[] = [];
  await expect
    .poll(
      async () => {
        const snapshot = await followed.read();
        states.push(snapshot?.state);
        return [snapshot?.state, snapshot?.run.wasCancelled, (snapshot?.run.seriesCount ?? 0) > 0];
      },
      { timeout: 20_000 },
    )
    .toEqual(['profiling', undefined, true]);
  expect(states).not.toContain('ended');
  stop.abort();
  await end;
  const ended = (await followed.read())!;
  expect([ended.state, ended.run.wasCancelled, ended.run.files.aggregated]).toEqual([
    'ended',
    true,
    join(plan.folder, 'server_metrics_export.json'),
  ]);
  expect(await followed.read()).toBe(ended);
});

test.each([
  ['long ago by a process that no longer exists', { pid: 2 ** 22 + 1, seconds: 60 }, 'silent'],
  ['just now by a process that no longer exists', { pid: 2 ** 22 + 1, seconds: 0 }, 'starting'],
  ['long ago by a process that exists', { pid: process.pid, seconds: 60 }, 'starting'],
])('describes a run that was written %s', async (_, { pid, seconds }, state) => {
  const plan = createCollectPlan(url, { ...KEEP_JOURNAL, durationSeconds: 0.2 });
  await collect(plan);
  const { header } = recoverRun(join(plan.folder, JOURNAL));
  const folder = createFolder();
  const path = join(folder, JOURNAL);
  const journal = JournalWriter.open(path, { ...header, owner: { pid, host: hostname() } }, {});
  await journal.close();
  const time = new Date(Date.now() - 1000 * seconds);
  utimesSync(path, time, time);
  const snapshot = (await new FollowedRun(folder).read())!;
  expect([snapshot.state, Math.round(snapshot.writtenMs)]).toEqual([state, time.getTime()]);
});

test('ignores the exports of an earlier run', async () => {
  const plan = createCollectPlan(url, { durationSeconds: 0.2, exports: { formats: ['json'] } });
  await collect(plan);
  expect(await new FollowedRun(plan.folder, Date.now() + 1000).read()).toBeUndefined();
  expect((await new FollowedRun(plan.folder).read())!.state).toBe('ended');
});

test('rejects a folder without a run', async () => {
  await expect(new FollowedRun(createFolder()).read()).rejects.toThrow('contains no server metrics');
});

test.each([
  ['does not exist', '/no/such/folder', 'no such folder'],
  ['is a file', import.meta.filename, 'not a folder; expected the folder of a run'],
])('rejects a folder that %s', async (_, folder, message) => {
  await expect(checkWatchedFolder(folder)).rejects.toThrow(message);
});
