import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fromPath, type ProfileExport, validate } from '@org/formats';
import { ProfileMetrics, SliceMetrics } from '@org/loadgen';
import { expect, test } from 'vitest';
import { writeProfileExports } from '../../src/profile/profileExports.ts';
import { getProfilePaths } from '../../src/profile/profilePaths.ts';
import { createFolder } from '../plans.ts';
import { addRequests, createParts } from './parts.ts';

test.each([
  [undefined, ['profile_export_aiperf.json', 'profile_export_aiperf.csv', 'profile_export.jsonl']],
  ['run-7', ['run-7.json', 'run-7.csv', 'run-7.jsonl']],
])('names the exports with the prefix %j', (prefix, names) => {
  const { json, csv, jsonl, slicesJson } = getProfilePaths('/a', prefix);
  expect([json, csv, jsonl]).toEqual(names.map(name => join('/a', name)));
  expect(slicesJson).toBe(json.replace('.json', '_timeslices.json'));
});

test('writes valid exports of a run without timeslices', async () => {
  const folder = createFolder();
  const { files, document, furtherFiles, ...sliceExports } = await writeProfileExports(createParts(), {
    folder,
  });
  expect(sliceExports).toEqual({});
  expect(furtherFiles).toEqual([]);
  expect(files.map(({ ok, path }) => [ok, path])).toEqual([
    [true, join(folder, 'profile_export_aiperf.json')],
    [true, join(folder, 'profile_export_aiperf.csv')],
  ]);
  for (const { path } of files) expect((await validate(fromPath(path))).issues).toEqual([]);
  expect(document).toMatchObject({
    benchmark_id: 'b',
    request_count: { avg: 2 },
  } satisfies Partial<ProfileExport>);
});

test('writes the timeslices, and the AIPerf layout of CSV', async () => {
  const folder = createFolder();
  const slices = new SliceMetrics(1e9, { streaming: true });
  addRequests(slices);
  const { timeslices, files } = await writeProfileExports(
    { ...createParts(), slices },
    { folder, prefix: 'p', compatibility: 'aiperf-0.13' },
  );
  expect(timeslices!.timeslices.map(({ timeslice_index }) => timeslice_index)).toEqual([0, 1]);
  expect(files.map(({ path }) => path.slice(folder.length + 1))).toEqual([
    'p.json',
    'p.csv',
    'p_timeslices.json',
    'p_timeslices.csv',
  ]);
  for (const { path } of files) expect((await validate(fromPath(path))).issues).toEqual([]);
});

test('writes the other files if one file cannot be written', async () => {
  const folder = createFolder();
  mkdirSync(join(folder, 'profile_export_aiperf.json'));
  const metrics = new ProfileMetrics({ streaming: true });
  const { files } = await writeProfileExports(createParts({ metrics, blocks: metrics.toBlocks() }), {
    folder,
  });
  expect(files.map(({ ok }) => ok)).toEqual([false, true]);
  expect(existsSync(join(folder, 'profile_export_aiperf.csv'))).toBe(true);
});
