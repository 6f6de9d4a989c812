import { describe, expect, test } from 'vitest';
import { createPlan, type PlanOptions } from './fakes.ts';

const listFolders = (options: PlanOptions): string[] => createPlan(options).runs.map(({ folder }) => folder);

describe('folders', () => {
  test('of repeated runs are in profile_runs', () => {
    expect(listFolders({ runs: 2 })).toEqual(['profile_runs/run_0001', 'profile_runs/run_0002']);
  });

  test('of a sweep without repeats are the folders of the variations', () => {
    expect(listFolders({ concurrency: [1, 8] })).toEqual(['concurrency_1', 'concurrency_8']);
  });

  test('of a repeated sweep are grouped by trial, or by variation in independent mode', () => {
    const options: PlanOptions = { concurrency: [1, 8], runs: 2 };
    expect(listFolders(options)).toEqual([
      'profile_runs/trial_0001/concurrency_1',
      'profile_runs/trial_0001/concurrency_8',
      'profile_runs/trial_0002/concurrency_1',
      'profile_runs/trial_0002/concurrency_8',
    ]);
    expect(listFolders({ ...options, mode: 'independent' })).toEqual([
      'concurrency_1/profile_runs/trial_0001',
      'concurrency_1/profile_runs/trial_0002',
      'concurrency_8/profile_runs/trial_0001',
      'concurrency_8/profile_runs/trial_0002',
    ]);
  });
});

describe('seeds', () => {
  const listSeeds = (options: PlanOptions): number[] =>
    createPlan({ concurrency: [1, 8], runs: 2, ...options }).runs.map(({ seed }) => seed);

  test('increase with the variation, and are equal in all runs of a variation', () => {
    expect(listSeeds({})).toEqual([42, 43, 42, 43]);
    expect(listSeeds({ seed: 7 })).toEqual([7, 8, 7, 8]);
    const last = Number.MAX_SAFE_INTEGER;
    expect(listSeeds({ seed: last, concurrency: [1, 2, 3], runs: 1 })).toEqual([last, 0, 1]);
  });

  test('are equal in all variations with sameSeed', () => {
    expect(listSeeds({ seed: 7, sameSeed: true })).toEqual([7, 7, 7, 7]);
  });

  test('differ in each run with varySeed, and are reproducible', () => {
    const variedSeeds = listSeeds({ varySeed: true });
    expect(new Set(variedSeeds).size).toBe(4);
    expect(variedSeeds.every(seed => Number.isInteger(seed) && seed >= 0 && seed < 2 ** 32)).toBe(true);
    expect(listSeeds({ varySeed: true })).toEqual(variedSeeds);
    const equalSeeds = listSeeds({ varySeed: true, sameSeed: true });
    expect([equalSeeds[0], equalSeeds[2]]).toEqual([equalSeeds[1], equalSeeds[3]]);
  });
});

test('assigns sweeps and repeated runs a unique ID', () => {
  const sweep = { concurrency: [1, 2] };
  expect(createPlan(sweep).sweepId).toMatch(/^[\da-f]{8}-[\da-f]{4}-4/);
  expect(createPlan(sweep).sweepId).not.toBe(createPlan(sweep).sweepId);
  expect(createPlan({ runs: 3 }).sweepId).toMatch(/^[\da-f]{8}-[\da-f]{4}-4/);
});
