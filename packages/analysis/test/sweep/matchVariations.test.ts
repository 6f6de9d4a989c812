import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeProfileExportJson } from '@org/formats/write';
import { afterAll, expect, test } from 'vitest';
import { createExport } from '../../../record/test/support/profileExports.ts';
import { RunError } from '../../src/run/input.ts';
import { matchVariations, openCompleteRuns } from '../../src/sweep/matchVariations.ts';
import { createTempFolder } from '../documents.ts';

const { path: root, remove } = createTempFolder('match-variations');
afterAll(remove);

for (const path of [
  'base/concurrency_1',
  'base/concurrency_2',
  'base/concurrency_8',
  'repeated/profile_runs/trial_0001/concurrency_2',
  'repeated/profile_runs/trial_0002/concurrency_2',
  'repeated/profile_runs/trial_0001/concurrency_4',
  'old/variation_0000_concurrency_8',
  'rates/rate_1.0',
  'single/logs',
])
  mkdirSync(join(root, path), { recursive: true });

const locate = (...names: readonly string[]): string[] => names.map(name => join(root, name));

test('matches variations by their parameters, and names those without a counterpart', async () => {
  const matches = await matchVariations(locate('base'), locate('repeated', 'old'));
  expect(matches!.pairs.map(({ name, base, new: others }) => [name, base, others])).toEqual([
    [
      'concurrency_2',
      locate('base/concurrency_2'),
      locate(
        'repeated/profile_runs/trial_0001/concurrency_2',
        'repeated/profile_runs/trial_0002/concurrency_2',
      ),
    ],
    ['concurrency_8', locate('base/concurrency_8'), locate('old/variation_0000_concurrency_8')],
  ]);
  expect(matches).toMatchObject({ onlyBase: ['concurrency_1'], onlyNew: ['concurrency_4'] });
});

test('returns undefined for single runs', async () => {
  expect(await matchVariations(locate('single'), locate('single'))).toBeUndefined();
});

test.each<[string, string, RegExp]>([
  [
    'a single run',
    'single',
    /^cannot compare the sweep ".*base" with ".*single", which is not a sweep; specify a variation, such as .*concurrency_1$/,
  ],
  [
    'other parameters',
    'rates',
    /^the sweeps have no variation in common: the base has concurrency_1, .*, and the new one rate_1.0$/,
  ],
])('rejects a sweep and %s', async (_, other, message) => {
  await expect(matchVariations(locate('base'), locate(other))).rejects.toThrow(RunError);
  await expect(matchVariations(locate('base'), locate(other))).rejects.toThrow(message);
});

test('skips incomplete runs', async () => {
  const [complete, incomplete] = locate('base/concurrency_1', 'base/concurrency_2') as [string, string];
  writeFileSync(join(complete, 'profile_export_aiperf.json'), writeProfileExportJson(createExport([1], 1)));
  const result = await openCompleteRuns([complete, incomplete]);
  expect(result.runs.map(({ name }) => name)).toEqual([complete]);
  expect(result.incomplete).toEqual([incomplete]);
});
