import { REPEATED_SEED } from '@org/run/repeat';
import { describe, expect, test } from 'vitest';
import { planOf } from './fakes.ts';

const paths = (raw: object): string[] => planOf({ ...raw }).runs.map(({ folder }) => folder);

describe('folders', () => {
  test('of repeated runs', () => {
    expect(paths({ 'num-profile-runs': 2 })).toEqual(['profile_runs/run_0001', 'profile_runs/run_0002']);
  });

  test('of a sweep without repetition: the variation itself', () => {
    expect(paths({ concurrency: '1,8' })).toEqual([
      'variation_0000_concurrency_1',
      'variation_0001_concurrency_8',
    ]);
  });

  test('of a repeated sweep, which goes through all variations each time', () => {
    const raw = { concurrency: '1,8', 'num-profile-runs': 2 };
    expect(paths(raw)).toEqual([
      'variation_0000_concurrency_1/profile_runs/run_0001',
      'variation_0001_concurrency_8/profile_runs/run_0001',
      'variation_0000_concurrency_1/profile_runs/run_0002',
      'variation_0001_concurrency_8/profile_runs/run_0002',
    ]);
    expect(paths({ ...raw, 'parameter-sweep-mode': 'independent' })).toEqual([
      'variation_0000_concurrency_1/profile_runs/run_0001',
      'variation_0000_concurrency_1/profile_runs/run_0002',
      'variation_0001_concurrency_8/profile_runs/run_0001',
      'variation_0001_concurrency_8/profile_runs/run_0002',
    ]);
  });
});

describe('seeds', () => {
  const seeds = (raw: object): number[] =>
    planOf({ concurrency: '1,8', 'num-profile-runs': 2, ...raw }).runs.map(({ seed }) => seed);

  test('are the same in every run of a variation, and go up with it (seed 004)', () => {
    expect(seeds({})).toEqual([REPEATED_SEED, REPEATED_SEED + 1, REPEATED_SEED, REPEATED_SEED + 1]);
    expect(seeds({ 'random-seed': 7 })).toEqual([7, 8, 7, 8]);
    expect(seeds({ 'random-seed': 2 ** 32 - 1 })).toEqual([2 ** 32 - 1, 0, 2 ** 32 - 1, 0]);
  });

  test('are one for all variations', () => {
    expect(seeds({ 'random-seed': 7, 'parameter-sweep-same-seed': true })).toEqual([7, 7, 7, 7]);
  });

  test('are others in each run, and the same ones again', () => {
    const found = seeds({ 'vary-seed-per-trial': true });
    expect(new Set(found).size).toBe(4);
    expect(found.every(seed => Number.isInteger(seed) && seed >= 0 && seed < 2 ** 32)).toBe(true);
    expect(seeds({ 'vary-seed-per-trial': true })).toEqual(found);
    const same = seeds({ 'vary-seed-per-trial': true, 'parameter-sweep-same-seed': true });
    expect([same[0], same[2]]).toEqual([same[1], same[3]]);
  });
});

test('sweeps and repeated runs have an id of their own', () => {
  const sweep = { concurrency: '1,2' };
  expect(planOf(sweep).sweepId).toMatch(/^[\da-f]{8}-[\da-f]{4}-4/);
  expect(planOf(sweep).sweepId).not.toBe(planOf(sweep).sweepId);
  expect(planOf({ 'num-profile-runs': 3 }).sweepId).toMatch(/^[\da-f]{8}-[\da-f]{4}-4/);
});
