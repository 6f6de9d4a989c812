import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findNewestJournal } from '../../src/follow/newestJournal.ts';

/** Creates files, with the seconds since 1970 when they were written. */
function createFiles(times: Readonly<Record<string, number>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'journals-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, seconds] of Object.entries(times)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '');
    utimesSync(path, seconds, seconds);
  }
  return folder;
}

test.each([
  ['the only one', { 'server_metrics.journal': 5 }, 0, 'server_metrics.journal'],
  [
    'the last one of a folder',
    { 'server_metrics.journal': 5, 'server_metrics-2.journal': 7 },
    0,
    'server_metrics-2.journal',
  ],
  ['one with a prefix', { 'a_profile.journal': 5 }, 0, 'a_profile.journal'],
  [
    'the journal of the current run of a sweep',
    {
      'profile_runs.journal': 9,
      'concurrency_1/server_metrics.journal': 5,
      'concurrency_2/server_metrics.journal': 6,
    },
    0,
    'concurrency_2/server_metrics.journal',
  ],
  [
    'the journal of the current repeated run',
    { 'profile_runs/run_0001/profile.journal': 5, 'profile_runs/run_0002/profile.journal': 4 },
    0,
    'profile_runs/run_0001/profile.journal',
  ],
  ['none of an earlier run', { 'server_metrics.journal': 5 }, 6000, undefined],
  ['none in a folder without journals', { 'server_metrics_export.json': 5 }, 0, undefined],
] as const)('finds %s', async (_, times, sinceMs, expected) => {
  const folder = createFiles(times);
  const found = await findNewestJournal(folder, sinceMs);
  expect(found).toBe(expected === undefined ? undefined : join(folder, expected));
});

test('finds nothing in a folder that does not exist', async () => {
  expect(await findNewestJournal(join(tmpdir(), 'no-such-folder'))).toBeUndefined();
});
