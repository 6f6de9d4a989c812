import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fromPath, validate } from '@org/formats';
import { expect, test } from 'vitest';
import { PlanError, profileRepeatedly, type RepeatEvent } from '../../src/index.ts';
import { createFolder, createProfilePlan, startSimulator } from '../plans.ts';
import { createPlan } from './fakes.ts';

const url = await startSimulator();

test('executes the runs of a sweep in order and writes their aggregates', async () => {
  const events: RepeatEvent[] = [];
  const folder = createFolder();
  const runs = createPlan({ runs: 2, concurrency: [1, 2], cooldownSeconds: 0.01 });
  const profiles = [1, 2].map(concurrency =>
    createProfilePlan(url, { profiling: { concurrency, requestCount: 4 }, targets: [] }),
  );
  const result = await profileRepeatedly(
    { folder, runs, profiles },
    { onEvent: event => events.push(event) },
  );
  expect(result).toMatchObject({ isWritten: true, wasCancelled: false });
  expect(result.outcomes).toHaveLength(4);
  const order = events.flatMap(event => {
    if (event.type === 'run_started') return [event.run.folder];
    return event.type === 'cooldown_started' ? ['cooldown'] : [];
  });
  expect(order).toEqual([
    'profile_runs/trial_0001/concurrency_1',
    'cooldown',
    'profile_runs/trial_0001/concurrency_2',
    'cooldown',
    'profile_runs/trial_0002/concurrency_1',
    'cooldown',
    'profile_runs/trial_0002/concurrency_2',
  ]);
  const sweep = join(folder, 'aggregate/sweep_aggregate/profile_export_aiperf_sweep.json');
  expect(await validate(fromPath(sweep))).toMatchObject({ valid: true });
  expect([...result.exports.aggregates.keys()]).toEqual([0, 1]);
  expect(existsSync(join(folder, 'profile_runs.journal'))).toBe(false);
});

test('aggregates runs that export no requests', async () => {
  const folder = createFolder();
  const runs = createPlan({ runs: 2, concurrency: [1, 2] });
  const profiles = [1, 2].map(concurrency =>
    createProfilePlan(url, {
      profiling: { concurrency, requestCount: 4 },
      targets: [],
      exportLevel: 'summary',
    }),
  );
  const result = await profileRepeatedly({ folder, runs, profiles });
  expect(result).toMatchObject({ isWritten: true });
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  expect(files.filter(name => /profile_export\.jsonl$|collated/.test(name))).toEqual([]);
  const [first] = result.exports.sweep!.per_combination_metrics;
  expect(first).toMatchObject({ num_successful_runs: 2, requests: { succeeded: 8 } });
  // The interval is wide on a busy machine.
  expect(first!.metrics.request_latency_p99!.mean).toBeGreaterThan(0);
  expect(first!.metrics.request_latency_p99!.ci_low).toEqual(expect.any(Number));
  expect(result.exports.aggregates.get(0)!.metadata.num_successful_runs).toBe(2);
});

test('rejects a folder with runs among which are other files', async () => {
  const folder = createFolder();
  mkdirSync(join(folder, 'profile_runs'));
  writeFileSync(join(folder, 'profile_runs/notes.txt'), '');
  const plan = { folder, runs: createPlan({ runs: 2 }), profiles: [createProfilePlan(url)] };
  await expect(profileRepeatedly(plan)).rejects.toThrow(PlanError);
  await expect(profileRepeatedly(plan)).rejects.toThrow(
    'contains profile_runs/notes.txt among the runs of an earlier benchmark',
  );
});
