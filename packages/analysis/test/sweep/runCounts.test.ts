import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ProfileSweep } from '@org/formats';
import { afterAll, expect, test } from 'vitest';
import { AGGREGATE_FILE, addRunCounts } from '../../src/sweep/runCounts.ts';
import { createTempFolder } from '../documents.ts';

const { path: root, remove } = createTempFolder('run-counts');
afterAll(remove);

function createSweep(trials: number, successes: number): ProfileSweep {
  return {
    aggregation_type: 'sweep',
    num_profile_runs: 2 * trials,
    num_successful_runs: successes,
    metadata: { sweep_parameters: [], num_combinations: 2, num_trials_per_value: trials },
    per_combination_metrics: [1, 2.5].map(rate => ({ parameters: { rate }, metrics: {} })),
  };
}

function writeAggregate(path: string, content: string): void {
  const file = join(root, path, AGGREGATE_FILE);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

const createAggregate = (runs: number): string => JSON.stringify({ metadata: { num_successful_runs: runs } });
writeAggregate('repeated/aggregate/rate_1.0', createAggregate(3));
writeAggregate('repeated/aggregate/rate_2.5', createAggregate(1));
writeAggregate('independent/rate_1.0/aggregate', createAggregate(2));
writeAggregate('independent/rate_2.5/aggregate', '{"metadata":');

test.each<[string, ProfileSweep, string, (number | undefined)[]]>([
  ['one run of each variation', createSweep(1, 2), 'x/sweep_aggregate', [1, 1]],
  ['repeats that all succeeded', createSweep(3, 6), 'x/sweep_aggregate', [3, 3]],
  ['failed runs, from the aggregates', createSweep(3, 4), 'repeated/aggregate/sweep_aggregate', [3, 1]],
  ['an aggregate that is incomplete', createSweep(3, 4), 'independent/sweep_aggregate', [2, undefined]],
  ['missing aggregates', createSweep(3, 4), 'nowhere/sweep_aggregate', [undefined, undefined]],
])("counts the runs of AIPerf's sweeps: %s", async (_, sweep, folder, expected) => {
  const counted = await addRunCounts(sweep, join(root, folder, 'profile_export_aiperf_sweep.json'));
  expect(counted.per_combination_metrics.map(({ num_successful_runs: runs }) => runs)).toEqual(expected);
});

test('keeps the counts of the file', async () => {
  const sweep = createSweep(1, 2);
  const counted = {
    ...sweep,
    per_combination_metrics: sweep.per_combination_metrics.map(each => ({ ...each, num_successful_runs: 7 })),
  };
  expect(await addRunCounts(counted, join(root, 'x.json'))).toBe(counted);
});
