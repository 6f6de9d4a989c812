import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  findRunFolders,
  formatRunFolder,
  formatRunLabel,
  formatVariationFolder,
  isRunsFolder,
  listRepeatedRuns,
  listVariations,
} from '../src/runFolders.ts';

const VARIATION = { index: 2, label: 'concurrency_4' };

/** Creates a folder with the given subfolders. */
function createTree(...subfolders: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'run-folders-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const subfolder of subfolders) mkdirSync(join(folder, subfolder), { recursive: true });
  return folder;
}

test.each([
  [undefined, undefined, '.'],
  [undefined, 0, 'profile_runs/run_0001'],
  [VARIATION, undefined, 'variation_0002_concurrency_4'],
  [VARIATION, 9, 'variation_0002_concurrency_4/profile_runs/run_0010'],
])('formats the folder of variation %j and trial %j as %s', (variation, trial, folder) => {
  expect(formatRunFolder(variation, trial)).toBe(folder);
});

test('formats the folder of a variation, and of a run outside of sweeps', () => {
  expect(formatVariationFolder(VARIATION)).toBe('variation_0002_concurrency_4');
  expect(formatVariationFolder(undefined)).toBe('.');
});

test('formats the label of a run', () => {
  expect(formatRunLabel(0)).toBe('run_0001');
});

test('lists repeated runs and variations in order', async () => {
  const names = [
    'profile_runs/run_0002',
    'profile_runs/run_0001',
    'variation_0001_c_2',
    'variation_0000_c_1',
  ];
  const folder = createTree(...names);
  expect(await listRepeatedRuns(folder)).toEqual([join(folder, names[1]!), join(folder, names[0]!)]);
  expect(await listVariations(folder)).toEqual([join(folder, names[3]!), join(folder, names[2]!)]);
});

test.each<[string, string[], string[]]>([
  ['a single run', ['aggregate'], []],
  [
    'repeats',
    ['profile_runs/run_0002', 'profile_runs/run_0001', 'profile_runs/other'],
    ['profile_runs/run_0001', 'profile_runs/run_0002'],
  ],
  [
    'a sweep',
    ['variation_0000_c_1', 'variation_0001_c_2', 'sweep_aggregate'],
    ['variation_0000_c_1', 'variation_0001_c_2'],
  ],
  [
    'a sweep with repeats',
    ['variation_0000_c_1/profile_runs/run_0001', 'variation_0000_c_1/profile_runs/run_0002'],
    ['variation_0000_c_1/profile_runs/run_0001', 'variation_0000_c_1/profile_runs/run_0002'],
  ],
])('finds the run folders of %s', async (_, subfolders, runs) => {
  const folder = createTree(...subfolders);
  expect(await findRunFolders(folder)).toEqual(runs.map(run => join(folder, run)));
});

test.each([
  ['profile_runs', true],
  ['variation_0001_c_2', true],
  ['aggregate', true],
  ['sweep_aggregate', true],
  ['variation_x', false],
  ['run_0001', false],
  ['plots', false],
])('recognizes folders of runs: %s: %s', (name, isRuns) => {
  expect(isRunsFolder(name)).toBe(isRuns);
});

test('finds no runs in a missing folder', async () => {
  expect(await findRunFolders('/no/such/folder')).toEqual([]);
});
