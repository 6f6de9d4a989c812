import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { filesOf } from '../../src/cli/files.ts';

const folder = mkdtempSync(join(tmpdir(), 'formats-'));
afterAll(() => rmSync(folder, { recursive: true }));

const exports = [
  'my_run_server_metrics.json',
  'my_run_timeslices.csv',
  'profile_export.jsonl',
  'profile_export_aiperf.csv',
  'profile_export_aiperf.json',
  'profile_export_aiperf_aggregate.json',
  'profile_export_aiperf_collated.json',
  'profile_export_aiperf_timeslices.csv',
  'profile_export_aiperf_timeslices.json',
  'server_metrics_export.csv',
  'server_metrics_export.json',
  'server_metrics_export.jsonl',
  'server_metrics_export.parquet',
];
const others = [
  'inputs.json',
  'notes.csv',
  'profile_export_raw.jsonl',
  'server_metrics.journal',
  'logs.jsonl',
];

it('takes the exports of a folder, and no other file', async () => {
  for (const name of [...exports, ...others]) writeFileSync(join(folder, name), '');
  expect(await filesOf([folder])).toEqual(exports.map(name => join(folder, name)));
});

it('takes what is named, whatever it is called', async () => {
  expect(await filesOf(['-', 'notes.csv'])).toEqual(['-', 'notes.csv']);
});
