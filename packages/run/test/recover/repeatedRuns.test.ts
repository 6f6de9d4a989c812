import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AggregateMetadata, ProfileAggregate } from '@org/formats';
import { describe, expect, test } from 'vitest';
import { profileRepeatedly } from '../../src/index.ts';
import {
  findRepeatedRuns,
  type RecoverRepeatedRunsEvent,
  recoverRepeatedRuns,
} from '../../src/recover/index.ts';
import type { ConvergenceRule } from '../../src/repeat/convergenceRule.ts';
import { PLAN_JOURNAL } from '../../src/repeat/planJournal.ts';
import { createFolder, createProfilePlan, startSimulator } from '../plans.ts';
import { createPlan } from '../repeat/fakes.ts';

const url = await startSimulator();

/** Creates a folder that contains empty files with these paths. */
function createTree(...paths: readonly string[]): string {
  const folder = createFolder();
  for (const path of paths) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), '');
  }
  return folder;
}

describe('findRepeatedRuns', () => {
  test.each([
    ['of a single run', ['server_metrics.journal']],
    ['without runs', ['notes.txt']],
  ])('returns undefined for a folder %s', async (_, paths) => {
    expect(await findRepeatedRuns(createTree(...paths))).toBeUndefined();
  });

  test('lists the runs with journals, and why the plan is unknown', async () => {
    const folder = createTree(
      'profile_runs/run_0001/profile_export.jsonl',
      'profile_runs/run_0002/server_metrics.journal',
    );
    expect(await findRepeatedRuns(folder)).toEqual({
      folder,
      plan: `${PLAN_JOURNAL} is not in this folder`,
      journaledRuns: [join(folder, 'profile_runs/run_0002')],
    });
  });

  test.skipIf(process.platform === 'win32')('ignores named pipes that are named like journals', async () => {
    const folder = createTree('profile_runs/run_0001/a.json', 'profile_runs/run_0002/server_metrics.journal');
    execFileSync('mkfifo', [join(folder, PLAN_JOURNAL), join(folder, 'profile_runs/run_0001/x.journal')]);
    const repeatedRuns = await findRepeatedRuns(folder);
    expect(repeatedRuns!.journaledRuns).toEqual([join(folder, 'profile_runs/run_0002')]);
    expect(repeatedRuns!.plan).toMatch(/contains no plan: .*: not a regular file$/);
  });

  test('names the parent folder that contains the plan', async () => {
    const sweep = createTree(PLAN_JOURNAL, 'variation_0000_c_1/profile_runs/run_0001/server_metrics.journal');
    const repeatedRuns = await findRepeatedRuns(join(sweep, 'variation_0000_c_1'));
    expect(repeatedRuns!.plan).toBe(`${PLAN_JOURNAL} is in the parent folder`);
  });

  test.each([
    [
      'completed runs',
      ['profile_runs/run_0001/a.json'],
      'contains 1 run but no journal; the journal of a completed run is deleted',
    ],
    ['an invalid plan', [PLAN_JOURNAL], `${PLAN_JOURNAL} contains no plan`],
  ])('rejects %s', async (_, paths, message) => {
    await expect(findRepeatedRuns(createTree(...paths))).rejects.toThrow(message);
  });
});

test('writes missing exports and aggregates from the journals', async () => {
  const folder = createFolder();
  const profile = createProfilePlan(url, {
    profiling: { concurrency: 1, requestCount: 3 },
    storage: { keepJournal: true },
    exports: { formats: ['json'] },
  });
  await profileRepeatedly({ folder, runs: createPlan({ runs: 2 }), profiles: [profile] });
  const aggregate = join(folder, 'aggregate/profile_export_aiperf_aggregate.json');
  const missing = join(folder, 'profile_runs/run_0002/profile_export_aiperf.json');
  for (const path of [aggregate, missing]) rmSync(path);

  const events: RecoverRepeatedRunsEvent['type'][] = [];
  const runs = (await findRepeatedRuns(folder))!;
  const recovered = await recoverRepeatedRuns(runs, { onEvent: ({ type }) => events.push(type) });
  expect(recovered.isWritten).toBe(true);
  expect(recovered.aggregates!.outcomes.map(outcome => 'statistics' in outcome)).toEqual([true, true]);
  const stages = events.filter(type => type !== 'export_progressed');
  expect(stages).toEqual(['recovery_started', 'recovery_ended', 'recovery_started', 'recovery_ended']);
  expect([aggregate, missing].map(path => existsSync(path))).toEqual([true, true]);
});

describe('repeated runs with a convergence rule', () => {
  const AGGREGATE = 'aggregate/profile_export_aiperf_aggregate.json';

  /** Executes up to four runs with a rule, and keeps their journals. Returns their folder. */
  async function execute(convergence: ConvergenceRule): Promise<string> {
    const folder = createFolder();
    const profile = createProfilePlan(url, {
      profiling: { concurrency: 1, requestCount: 3 },
      storage: { keepJournal: true },
      exports: { formats: ['json'] },
    });
    await profileRepeatedly({ folder, runs: createPlan({ runs: 4, convergence }), profiles: [profile] });
    return folder;
  }

  const readMetadata = (folder: string): AggregateMetadata =>
    (JSON.parse(readFileSync(join(folder, AGGREGATE), 'utf8')) as ProfileAggregate).metadata;

  // Any two runs converge with these thresholds.
  test.each<ConvergenceRule>([
    { metric: 'request_latency', stat: 'avg', mode: 'ci_width', threshold: 1e6 },
    { metric: 'request_latency', stat: 'p99', mode: 'cv', threshold: 1e6 },
    { metric: 'request_latency', stat: 'avg', mode: 'distribution', threshold: 1e-6 },
  ])('that converged by $mode are recovered with the same convergence', async rule => {
    const folder = await execute(rule);
    const metadata = readMetadata(folder);
    expect(metadata).toMatchObject({ convergence: { runs: 2, converged: true }, was_cancelled: false });
    rmSync(join(folder, AGGREGATE));
    const recovered = await recoverRepeatedRuns((await findRepeatedRuns(folder))!);
    expect(recovered.aggregates).toMatchObject({ skipped: 2 });
    expect(readMetadata(folder)).toEqual(metadata);
  });

  test('that did not converge are recovered with the convergence of the runs that are left', async () => {
    const folder = await execute({
      metric: 'request_latency',
      stat: 'avg',
      mode: 'ci_width',
      threshold: 1e-12,
    });
    const { convergence } = readMetadata(folder);
    expect(convergence).toMatchObject({ runs: 4, converged: false });
    rmSync(join(folder, 'profile_runs/run_0004'), { recursive: true });
    const recovered = await recoverRepeatedRuns((await findRepeatedRuns(folder))!);
    expect(recovered.aggregates).toMatchObject({ skipped: 0 });
    const metadata = readMetadata(folder);
    expect(metadata).toMatchObject({ convergence: { runs: 3, converged: false }, was_cancelled: true });
    expect(metadata.convergence!.value).not.toBe(convergence!.value);
  });
});

test('continues with the other runs if a journal is unusable', async () => {
  const folder = createTree('profile_runs/run_0001/server_metrics.journal');
  const events: RecoverRepeatedRunsEvent[] = [];
  const runs = (await findRepeatedRuns(folder))!;
  expect(await recoverRepeatedRuns(runs, { onEvent: event => events.push(event) })).toEqual({
    isWritten: false,
  });
  expect(events.map(({ type }) => type)).toEqual(['recovery_started', 'recovery_failed']);
});
