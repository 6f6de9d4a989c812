import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { listSweptRuns } from '../src/sweptRuns.ts';

/** Creates the folders of runs, with the values in their run_config.json; undefined for a run without this file. */
function createRuns(runs: Readonly<Record<string, object | undefined>>): string {
  const root = mkdtempSync(join(tmpdir(), 'swept-runs-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, values] of Object.entries(runs)) {
    mkdirSync(join(root, path), { recursive: true });
    if (values) writeFileSync(join(root, path, 'run_config.json'), JSON.stringify({ variation: { values } }));
  }
  return root;
}

const CONCURRENCY = 'phases.profiling.concurrency';
const ISL = 'datasets.main.prompts.isl.mean';
const OSL = 'datasets.main.prompts.osl.mean';

test.each<[string, Parameters<typeof createRuns>[0], [string, string | undefined, object, number][]]>([
  ['a single run', { logs: undefined }, []],
  [
    'repeated runs',
    { 'profile_runs/run_0001': undefined, 'profile_runs/run_0003': undefined },
    [
      ['run_0001', undefined, {}, 1],
      ['run_0003', undefined, {}, 3],
    ],
  ],
  [
    'a sweep',
    { concurrency_2: { [CONCURRENCY]: 2 }, concurrency_10: { [CONCURRENCY]: 10 } },
    [
      ['concurrency_2', 'concurrency_2', { concurrency: 2 }, 1],
      ['concurrency_10', 'concurrency_10', { concurrency: 10 }, 1],
    ],
  ],
  [
    'a repeated sweep without run_config.json',
    {
      'profile_runs/trial_0001/mean_50__rate_2.5': undefined,
      'profile_runs/trial_0002/mean_50__rate_2.5': undefined,
    },
    [
      ['mean_50__rate_2.5/run_0001', 'mean_50__rate_2.5', { mean: 50, rate: 2.5 }, 1],
      ['mean_50__rate_2.5/run_0002', 'mean_50__rate_2.5', { mean: 50, rate: 2.5 }, 2],
    ],
  ],
  [
    'variations that are repeated one after another',
    { 'concurrency_2/profile_runs/trial_0002': { [CONCURRENCY]: 2 } },
    [['concurrency_2/run_0002', 'concurrency_2', { concurrency: 2 }, 2]],
  ],
  [
    'parameters with the same last part',
    { mean_50__mean_20: { [ISL]: 50, [OSL]: 20 } },
    [['mean_50__mean_20', 'mean_50__mean_20', { isl_mean: 50, osl_mean: 20 }, 1]],
  ],
  [
    'the folders of earlier versions',
    { variation_0000_request_rate_5: undefined },
    [['variation_0000_request_rate_5', 'variation_0000_request_rate_5', { request_rate: 5 }, 1]],
  ],
  [
    'a variation whose values are objects',
    { 'long-prompts': { datasets: [{ name: 'default' }] } },
    [['long-prompts', 'long-prompts', {}, 1]],
  ],
])('lists the runs of %s', async (_, folders, expected) => {
  const root = createRuns(folders);
  const runs = await listSweptRuns(root);
  expect(runs.map(({ name, variation, parameters, trial }) => [name, variation, parameters, trial])).toEqual(
    expected,
  );
  expect(runs.map(({ folder }) => folder).every(folder => folder.startsWith(root))).toBe(true);
});
