import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findRunFolders, listRepeatedRuns, listVariations } from '../src/listRuns.ts';

/** Creates folders, and files if their names have an extension. */
function createTree(...paths: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'list-runs-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const path of paths) {
    const isFile = /\.json$/.test(path);
    mkdirSync(join(folder, isFile ? dirname(path) : path), { recursive: true });
    if (isFile) writeFileSync(join(folder, path), '{}');
  }
  return folder;
}

test.each<[string, string[], Record<string, string[]>]>([
  ['a single run', ['logs', 'phases/warmup', 'aggregate'], {}],
  ['repeated runs', ['profile_runs/run_0001', 'profile_runs/run_0002', 'aggregate'], {}],
  [
    'a sweep',
    ['concurrency_10', 'concurrency_2', 'aggregate/concurrency_2', 'sweep_aggregate', 'logs'],
    { concurrency_2: ['concurrency_2'], concurrency_10: ['concurrency_10'] },
  ],
  [
    'a sweep of several parameters',
    ['mean_50__concurrency_1', 'mean_50__rate_2.5', 'mean_50__rate_1e-5'],
    {
      mean_50__concurrency_1: ['mean_50__concurrency_1'],
      'mean_50__rate_1e-5': ['mean_50__rate_1e-5'],
      'mean_50__rate_2.5': ['mean_50__rate_2.5'],
    },
  ],
  [
    'a repeated sweep',
    [
      'profile_runs/trial_0002/concurrency_1',
      'profile_runs/trial_0001/concurrency_1',
      'profile_runs/trial_0001/concurrency_2',
      'aggregate/concurrency_1',
      'aggregate/sweep_aggregate',
    ],
    {
      concurrency_1: ['profile_runs/trial_0001/concurrency_1', 'profile_runs/trial_0002/concurrency_1'],
      concurrency_2: ['profile_runs/trial_0001/concurrency_2'],
    },
  ],
  [
    'an independent sweep',
    [
      'concurrency_1/profile_runs/trial_0001/logs',
      'concurrency_1/profile_runs/trial_0002',
      'concurrency_1/aggregate',
    ],
    { concurrency_1: ['concurrency_1/profile_runs/trial_0001', 'concurrency_1/profile_runs/trial_0002'] },
  ],
  [
    'a search of AIPerf',
    ['search_iter_0000/profile_runs/run_0001', 'search_iter_0001/profile_runs/run_0001'],
    {
      search_iter_0000: ['search_iter_0000/profile_runs/run_0001'],
      search_iter_0001: ['search_iter_0001/profile_runs/run_0001'],
    },
  ],
  [
    'scenarios with any names',
    ['short-prompts/run_config.json', 'plots', 'notes/todo.json'],
    { 'short-prompts': ['short-prompts'] },
  ],
  [
    'a sweep of an earlier version',
    ['variation_0000_c_1/profile_runs/run_0001', 'variation_0001_c_2/profile_runs/run_0001', 'variation_x'],
    {
      variation_0000_c_1: ['variation_0000_c_1/profile_runs/run_0001'],
      variation_0001_c_2: ['variation_0001_c_2/profile_runs/run_0001'],
    },
  ],
])('lists the variations of %s', async (_, paths, expected) => {
  const folder = createTree(...paths);
  const variations = await listVariations(folder);
  const found = variations.map(({ name, runs }) => [name, runs.map(run => relative(folder, run))]);
  expect(found).toEqual(Object.entries(expected));
  if (variations.length > 0)
    expect(await findRunFolders(folder)).toEqual(variations.flatMap(({ runs }) => runs));
});

describe('repeated runs', () => {
  test('are listed in order', async () => {
    const folder = createTree('profile_runs/run_0002', 'profile_runs/run_0001', 'profile_runs/other');
    const runs = ['run_0001', 'run_0002'].map(name => join(folder, 'profile_runs', name));
    expect(await listRepeatedRuns(folder)).toEqual(runs);
    expect(await findRunFolders(folder)).toEqual(runs);
  });

  test('are not the trials of a repeated sweep', async () => {
    expect(await listRepeatedRuns(createTree('profile_runs/trial_0001/concurrency_1'))).toEqual([]);
  });

  test('of a variation are listed for the folder of its aggregate', async () => {
    const folder = createTree(
      'profile_runs/trial_0001/rate_5.0',
      'profile_runs/trial_0002/rate_5.0',
      'aggregate/rate_5.0',
    );
    expect(await listRepeatedRuns(join(folder, 'aggregate/rate_5.0'))).toEqual(
      ['trial_0001', 'trial_0002'].map(trial => join(folder, 'profile_runs', trial, 'rate_5.0')),
    );
  });
});

test('finds no runs in a missing folder', async () => {
  expect(await findRunFolders('/no/such/folder')).toEqual([]);
  expect(await listVariations('/no/such/folder')).toEqual([]);
});
