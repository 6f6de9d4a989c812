import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { removeReplacedExports } from '../../src/lifecycle/replacedExports.ts';
import { createFolder } from '../plans.ts';

const OLD = [
  'inputs.json',
  'outputs.json',
  'phase_manifest.json',
  'profile_export_raw.jsonl',
  join('phases', 'warmup', 'server_metrics.json'),
  'server_metrics_export.csv',
  'server_metrics_export.json',
  'profile_export_aiperf_timeslices.csv',
  'notes.txt',
];

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
    .sort();
}

test('keeps the server metrics of another run if the run scraped nothing', () => {
  const folder = createFolder();
  for (const name of ['server_metrics_export.csv', 'inputs.json']) {
    writeFileSync(join(folder, name), '');
    utimesSync(join(folder, name), 1000, 1000);
  }
  removeReplacedExports({
    folder,
    prefix: undefined,
    startNs: 2_000_000_000_000n,
    written: [],
    hasServerMetrics: false,
    hasClientMetrics: true,
  });
  expect(listFiles(folder)).toEqual(['server_metrics_export.csv']);
});

test.each([
  [true, ['notes.txt', 'server_metrics_export.json', 'server_metrics_export.parquet']],
  [
    false,
    [
      'inputs.json',
      'notes.txt',
      'outputs.json',
      'phase_manifest.json',
      'phases/warmup/server_metrics.json',
      'profile_export_aiperf_timeslices.csv',
      'profile_export_raw.jsonl',
      'server_metrics_export.json',
      'server_metrics_export.parquet',
    ],
  ],
])('removes only exports of an earlier run (client metrics: %s)', (hasClientMetrics, remaining) => {
  const folder = createFolder();
  mkdirSync(join(folder, 'phases', 'warmup'), { recursive: true });
  for (const name of OLD) {
    writeFileSync(join(folder, name), '');
    utimesSync(join(folder, name), 1000, 1000);
  }
  // Written by another program during the run.
  writeFileSync(join(folder, 'server_metrics_export.parquet'), '');
  removeReplacedExports({
    folder,
    prefix: undefined,
    startNs: 2_000_000_000_000n,
    written: [join(folder, 'server_metrics_export.json')],
    hasServerMetrics: true,
    hasClientMetrics,
  });
  expect(listFiles(folder)).toEqual(remaining);
});
