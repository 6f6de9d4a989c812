import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { expandFiles } from '../../src/cli/fileList.ts';

const folder = mkdtempSync(join(tmpdir(), 'formats-'));
afterAll(() => rmSync(folder, { recursive: true }));

const exportNames = [
  '.aiperf_results_ready.json',
  'aiperf.log',
  'gpu_telemetry_export.jsonl',
  'inputs.json',
  'my_run.json',
  'my_run.jsonl',
  'my_run_console.txt',
  'my_run_gpu_telemetry.jsonl',
  'my_run_raw.jsonl',
  'my_run_server_metrics.json',
  'my_run_timeslices.csv',
  'outputs.json',
  'phase_manifest.json',
  'profile_export.jsonl',
  'profile_export_aiperf.csv',
  'profile_export_aiperf.json',
  'profile_export_aiperf_aggregate.csv',
  'profile_export_aiperf_aggregate.json',
  'profile_export_aiperf_collated.json',
  'profile_export_aiperf_sweep.csv',
  'profile_export_aiperf_sweep.json',
  'profile_export_aiperf_timeslices.csv',
  'profile_export_aiperf_timeslices.json',
  'profile_export_console.txt',
  'profile_export_raw.jsonl',
  'run_config.json',
  'server_metrics_export.csv',
  'server_metrics_export.json',
  'server_metrics_export.jsonl',
  'server_metrics_export.parquet',
  'sla_breach.json',
];
const otherNames = ['notes.csv', 'notes.json', 'my_runs.json', 'server_metrics.journal', 'logs.jsonl'];

it('lists the files of a run in a folder and no other files', async () => {
  for (const name of [...exportNames, ...otherNames]) writeFileSync(join(folder, name), '');
  expect(await expandFiles([folder])).toEqual(exportNames.map(name => join(folder, name)));
});

it('lists journals only if they can be checked, and compressed exports', async () => {
  const mixed = mkdtempSync(join(folder, 'mixed-'));
  const names = ['server_metrics.journal', 'server_metrics_export.json.gz'];
  for (const name of names) writeFileSync(join(mixed, name), '');
  expect(await expandFiles([mixed])).toEqual([join(mixed, names[1]!)]);
  expect(await expandFiles([mixed], true)).toEqual(names.map(name => join(mixed, name)));
  rmSync(mixed, { recursive: true });
});

it.skipIf(process.platform === 'win32')('skips named pipes and devices in a folder', async () => {
  const special = mkdtempSync(join(folder, 'special-'));
  execFileSync('mkfifo', [join(special, 'profile_export.jsonl')]);
  symlinkSync('/dev/zero', join(special, 'server_metrics_export.csv'));
  symlinkSync('missing', join(special, 'server_metrics_export.json'));
  expect(await expandFiles([special])).toEqual([join(special, 'server_metrics_export.json')]);
  rmSync(special, { recursive: true });
});

it('lists the files of a phase, also with the prefix of the run', async () => {
  const run = mkdtempSync(join(folder, 'phases-'));
  const names = [
    'mine.json',
    'mine_console.txt',
    'phases/warmup/mine.json',
    'phases/warmup/server_metrics.json',
  ];
  mkdirSync(join(run, 'phases/warmup'), { recursive: true });
  for (const name of names) writeFileSync(join(run, name), '');
  expect(await expandFiles([run])).toEqual(names.map(name => join(run, name)));
  rmSync(run, { recursive: true });
});

it('lists no files that accompany exports in a folder without exports', async () => {
  const other = mkdtempSync(join(folder, 'other-'));
  for (const name of ['inputs.json', 'server_metrics.json', 'run_config.json'])
    writeFileSync(join(other, name), '');
  expect(await expandFiles([other])).toEqual([other]);
  rmSync(other, { recursive: true });
});

it('searches subfolders except hidden ones and node_modules, and does not follow links', async () => {
  const nested = join(folder, 'nested');
  const files = ['a/profile_runs/run_0001/profile_export.jsonl', 'b/server_metrics_export.json'];
  for (const file of [...files, '.git/profile_export.jsonl', 'node_modules/x/server_metrics_export.json']) {
    mkdirSync(dirname(join(nested, file)), { recursive: true });
    writeFileSync(join(nested, file), '');
  }
  symlinkSync(nested, join(nested, 'a/again'));
  expect(await expandFiles([nested])).toEqual(files.map(file => join(nested, file)));
  rmSync(nested, { recursive: true });
});

it('keeps a folder without exports, so that it is reported', async () => {
  const empty = mkdtempSync(join(folder, 'empty-'));
  expect(await expandFiles([empty])).toEqual([empty]);
  rmSync(empty, { recursive: true });
});

it('keeps files that are listed explicitly, regardless of their names', async () => {
  expect(await expandFiles(['-', 'notes.csv'])).toEqual(['-', 'notes.csv']);
});

it.skipIf(process.getuid?.() === 0)(
  'keeps a folder without read permission, so that it is reported',
  async () => {
    const locked = mkdtempSync(join(folder, 'locked-'));
    chmodSync(locked, 0o000);
    expect(await expandFiles([locked])).toEqual([locked]);
    rmSync(locked, { recursive: true });
  },
);
