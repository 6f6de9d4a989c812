import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeProfileExportJson } from '@org/formats/write';
import { afterAll, expect, test } from 'vitest';
import { createExport } from '../../../record/test/support/profileExports.ts';
import { openRunSet } from '../../src/sweep/openRunSet.ts';
import { createTempFolder } from '../documents.ts';

const { path: root, remove } = createTempFolder('unfinished');
afterAll(remove);

/** Writes runs by folder: the latencies of a complete run, or the content of its profile export. */
function writeRuns(
  name: string,
  runs: Readonly<Record<string, readonly number[] | string | null>>,
  command: string,
): string {
  for (const [path, content] of Object.entries(runs)) {
    const folder = join(root, name, path);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'run_config.json'), JSON.stringify({ cli_command: command }));
    if (content === null) writeFileSync(join(folder, 'profile_export.jsonl'), '{"metadata":');
    else
      writeFileSync(
        join(folder, 'profile_export_aiperf.json'),
        typeof content === 'string' ? content : writeProfileExportJson(createExport(content, content.length)),
      );
  }
  return join(root, name);
}

test('combines the complete runs of a killed sweep, and names the others in one sentence', async () => {
  const folder = writeRuns(
    'sweep',
    {
      'profile_runs/trial_0001/concurrency_1': [100, 110],
      'profile_runs/trial_0001/concurrency_2': [200],
      'profile_runs/trial_0002/concurrency_1': [120, 130],
      'profile_runs/trial_0002/concurrency_2': null,
    },
    "aiperf profile --concurrency '1,2,4' --num-profile-runs 2",
  );
  const runSet = await openRunSet(folder);
  if (runSet?.kind !== 'sweep') throw new Error('expected a sweep');
  const { sweep, notes } = runSet;
  expect(notes).toEqual([
    'there are no aggregates, because the benchmark was killed or is still active; 3 of 6 runs are complete; not complete: concurrency_2/run_0002; not started: concurrency_4/run_0001, concurrency_4/run_0002',
  ]);
  expect(sweep).toMatchObject({
    num_profile_runs: 4,
    num_successful_runs: 3,
    failed_runs: [
      { label: 'concurrency_2/run_0002', error: 'incomplete' },
      { label: 'concurrency_4/run_0001', error: 'not started' },
      { label: 'concurrency_4/run_0002', error: 'not started' },
    ],
    metadata: {
      sweep_parameters: [{ name: 'concurrency', values: [1, 2] }],
      num_combinations: 2,
      num_trials_per_value: 2,
      was_cancelled: true,
    },
  });
  const [first, second] = sweep.per_combination_metrics;
  expect(first).toMatchObject({ parameters: { concurrency: 1 }, num_successful_runs: 2 });
  expect(first!.metrics.request_latency_avg).toMatchObject({ mean: 115, min: 105, max: 125 });
  expect(second).toMatchObject({ parameters: { concurrency: 2 }, num_successful_runs: 1 });
  expect(second!.metrics.request_latency_avg).toEqual({ mean: 200, unit: 'ms' });
});

test('combines the complete runs of a killed benchmark with repeats', async () => {
  const folder = writeRuns(
    'repeats',
    {
      'profile_runs/run_0001': [100],
      'profile_runs/run_0002': [120],
      'profile_runs/run_0003': writeProfileExportJson(createExport([9], 1, { was_cancelled: true })),
      'profile_runs/run_0004': '{"request',
    },
    'servelens profile --num-profile-runs 5',
  );
  const runSet = await openRunSet(folder);
  if (runSet?.kind !== 'repeated') throw new Error('expected repeated runs');
  expect(runSet.notes).toEqual([
    expect.stringContaining(
      '2 of 5 runs are complete; not complete: run_0003 (interrupted), run_0004; not started: run_0005',
    ),
  ]);
  expect(runSet.aggregate.metrics.request_latency_avg).toMatchObject({ mean: 110, min: 100, max: 120 });
  expect(runSet.aggregate.metadata).toMatchObject({
    num_successful_runs: 2,
    run_labels: ['run_0001', 'run_0002'],
  });
});
