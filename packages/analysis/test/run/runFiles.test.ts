import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { RunError } from '../../src/run/input.ts';
import { findRepeatedRuns, findRunFiles } from '../../src/run/runFiles.ts';
import { createTempFolder } from '../documents.ts';

const { path: root, remove } = createTempFolder('files');
afterAll(remove);

let folders = 0;

/** Creates a folder with empty files. */
function createFolder(files: readonly string[]): string {
  const folder = join(root, `run${folders++}`);
  mkdirSync(folder);
  for (const name of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), '');
  }
  return folder;
}

test.each<[string, string[], object]>([
  [
    'all exports',
    [
      'server_metrics_export.json',
      'server_metrics_export.csv',
      'server_metrics_export.parquet',
      'server_metrics_export.jsonl',
      'profile_export_aiperf.json',
      'profile_export_aiperf.csv',
      'profile_export_aiperf_timeslices.json',
      'profile_export.jsonl',
      'server_metrics_export.journal',
      'gpu_telemetry_export.jsonl',
      'other.json',
    ],
    {
      aggregated: 'server_metrics_export.json',
      csv: 'server_metrics_export.csv',
      parquet: 'server_metrics_export.parquet',
      records: 'server_metrics_export.jsonl',
      profile: 'profile_export_aiperf.json',
      timeslices: 'profile_export_aiperf_timeslices.json',
      requests: 'profile_export.jsonl',
      journal: 'server_metrics_export.journal',
      gpuTelemetry: 'gpu_telemetry_export.jsonl',
    },
  ],
  [
    'files with a prefix',
    [
      'mine_server_metrics.csv',
      'mine.json',
      'mine.jsonl',
      'mine_timeslices.json',
      'mine_gpu_telemetry.jsonl',
    ],
    {
      aggregated: 'mine_server_metrics.csv',
      csv: 'mine_server_metrics.csv',
      profile: 'mine.json',
      requests: 'mine.jsonl',
      timeslices: 'mine_timeslices.json',
      gpuTelemetry: 'mine_gpu_telemetry.jsonl',
    },
  ],
  [
    'files with a prefix without server metrics',
    ['inputs.json', 'mine.json', 'mine.jsonl', 'mine_console.txt'],
    { profile: 'mine.json', requests: 'mine.jsonl' },
  ],
  [
    'the requests of a killed run with a prefix',
    ['inputs.json', 'logs', 'mine.jsonl'],
    { requests: 'mine.jsonl' },
  ],
  ['a profile export as CSV', ['profile_export_aiperf.csv'], { profile: 'profile_export_aiperf.csv' }],
])('finds %s', async (_, files, expected) => {
  const folder = createFolder(files);
  const found = Object.entries(expected).map(([kind, name]) => [kind, join(folder, name as string)]);
  expect(await findRunFiles(folder)).toEqual(Object.fromEntries(found));
});

test.each<[string, readonly string[], RegExp]>([
  ['no exports', [], /contains no server metrics; expected a file such as server_metrics_export\.json/],
  [
    'two exports',
    ['a_server_metrics.json', 'b_server_metrics.json'],
    /several exports; specify one of \S*a_/,
  ],
  [
    'only a journal',
    ['server_metrics_export.journal'],
    /did not finish; to write its exports, run servelens recover/,
  ],
])('rejects a folder with %s', async (_, files, message) => {
  await expect(findRunFiles(createFolder(files))).rejects.toThrow(message);
});

test.each<[string, string[], RegExp]>([
  [
    'a sweep',
    ['variation_0000_concurrency_1/x.json', 'variation_0001_concurrency_2/x.json'],
    /contains the 2 variations of a sweep; expected the folder of one run, such as \S*variation_0000_concurrency_1;/,
  ],
  [
    'repeated runs',
    ['profile_runs/run_0001/x.json'],
    /contains repeated runs; expected the folder of one run, such as \S*run_0001;/,
  ],
])('rejects the folder of %s and names one of its runs', async (_, files, message) => {
  const folder = createFolder(files);
  await expect(findRunFiles(folder)).rejects.toThrow(RunError);
  await expect(findRunFiles(folder)).rejects.toThrow(message);
});

test('finds repeated runs in order', async () => {
  const folder = createFolder(['run_0002', 'run_0001', 'other'].map(name => `profile_runs/${name}/x`));
  const runs = join(folder, 'profile_runs');
  expect(await findRepeatedRuns(folder)).toEqual([join(runs, 'run_0001'), join(runs, 'run_0002')]);
});

test('returns the path of a single run unchanged', async () => {
  const folder = createFolder(['server_metrics_export.csv']);
  expect(await findRepeatedRuns(folder)).toEqual([folder]);
  const file = join(folder, 'server_metrics_export.csv');
  expect(await findRepeatedRuns(file)).toEqual([file]);
});

test('rejects a path that does not exist', async () => {
  await expect(findRepeatedRuns(join(root, 'none'))).rejects.toThrow(
    /cannot read ".*none": no such file or folder/,
  );
});

test('states why a path below a file cannot be read', async () => {
  const file = join(createFolder(['server_metrics_export.csv']), 'server_metrics_export.csv');
  await expect(findRepeatedRuns(join(file, 'run'))).rejects.toThrow(
    /cannot read ".*run": part of the path is not a folder/,
  );
});
