import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeReplacedExports } from '../../src/lifecycle/replacedExports.ts';
import { createFolder } from '../plans.ts';

const OLD = [
  'server_metrics_export.csv',
  'server_metrics_export.json',
  'profile_export_aiperf_timeslices.csv',
  'notes.txt',
];

test.each([
  [true, ['notes.txt', 'server_metrics_export.json', 'server_metrics_export.parquet']],
  [
    false,
    [
      'notes.txt',
      'profile_export_aiperf_timeslices.csv',
      'server_metrics_export.json',
      'server_metrics_export.parquet',
    ],
  ],
])('removes only exports of an earlier run (client metrics: %s)', (hasClientMetrics, remaining) => {
  const folder = createFolder();
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
    hasClientMetrics,
  });
  expect(readdirSync(folder).sort()).toEqual(remaining);
});
