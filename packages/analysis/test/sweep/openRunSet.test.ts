import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SweepVariation } from '@org/formats';
import { FormatError } from '@org/formats/read';
import { afterAll, expect, test } from 'vitest';
import { RunError } from '../../src/run/input.ts';
import { formatParameter, formatVariationName, openRunSet } from '../../src/sweep/openRunSet.ts';
import { createTempFolder } from '../documents.ts';

const { path: root, remove } = createTempFolder('run-set');
afterAll(remove);

/** The folder of the valid sample files of @org/formats. */
const SAMPLES = join(import.meta.dirname, '../../../formats/test/files/valid');

const SWEEP = 'profile_export_aiperf_sweep.json';
const AGGREGATE = 'profile_export_aiperf_aggregate.json';

/** Creates the parent folder of a file below the root. Returns the path of the file. */
function createParentFolder(path: string): string {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  return file;
}

for (const [path, sample] of [
  [`sweep/sweep_aggregate/${SWEEP}`, 'profile-sweep.json'],
  [`aiperf/aggregate/sweep_aggregate/${SWEEP}`, 'profile-sweep-aiperf.json'],
  [`repeated/aggregate/${AGGREGATE}`, 'profile-aggregate.json'],
] as const)
  copyFileSync(join(SAMPLES, sample), createParentFolder(path));
for (const [path, content] of [
  [`broken/sweep_aggregate/${SWEEP}`, '{"aggregation_type": "sweep"}'],
  ['single/notes.txt', ''],
  ['unfinished/profile_runs/run_0001/profile_export_aiperf.json', '{}'],
] as const)
  writeFileSync(createParentFolder(path), content);

test.each([
  ['sweep', 'sweep'],
  [`sweep/sweep_aggregate/${SWEEP}`, 'sweep'],
  ['sweep/sweep_aggregate', 'sweep'],
  ['aiperf', 'sweep'],
  ['repeated', 'repeated'],
  [`repeated/aggregate/${AGGREGATE}`, 'repeated'],
  ['single', undefined],
  ['single/notes.txt', undefined],
])('opens %s as %s', async (name, kind) => {
  expect((await openRunSet(join(root, name)))?.kind).toBe(kind);
});

test.each([
  [
    'runs of which none is complete',
    'unfinished',
    RunError,
    /contains no complete run: there are no aggregates, .*; 0 of 1 run are complete; not complete: run_0001$/,
  ],
  ['a broken file', 'broken', FormatError, /profile_export_aiperf_sweep\.json/],
  ['a path that does not exist', 'none', RunError, /no such file or folder/],
])('rejects %s', async (_, name, type, message) => {
  await expect(openRunSet(join(root, name))).rejects.toThrow(type);
  await expect(openRunSet(join(root, name))).rejects.toThrow(message);
});

test.each<[Pick<SweepVariation, 'variation_label' | 'parameters'>, string]>([
  [{ variation_label: 'fast', parameters: { concurrency: 4 } }, 'fast'],
  [{ parameters: { concurrency: 4, request_rate: '2' } }, 'concurrency_4__request_rate_2'],
])('formats the name of the variation %j', (variation, expected) => {
  expect(formatVariationName({ ...variation, metrics: {} })).toBe(expected);
});

test.each([
  [4, '4'],
  ['x', 'x'],
  [null, 'null'],
  [{ a: [1] }, '{"a":[1]}'],
])('formats the parameter %j', (value, expected) => {
  expect(formatParameter(value).replace(/\s/g, '')).toBe(expected);
});
