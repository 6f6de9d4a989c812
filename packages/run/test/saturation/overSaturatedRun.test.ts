import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type ProfileExport, validate } from '@org/formats';
import { writeProfileExportJson } from '@org/formats/write';
import { describe, expect, test } from 'vitest';
import { runProfile } from '../../src/profile/profileRun.ts';
import { recover } from '../../src/recover/index.ts';
import { createProfilePlan, startSimulator } from '../plans.ts';

/** A server that processes about 7 requests per second. */
const url = await startSimulator({ maxRunning: 8, seed: 5 });

const INPUTS = {
  inputTokens: { mean: 20, stddev: 0 },
  outputTokens: { mean: 100, stddev: 0 },
  sampling: 'sequential',
  fixedSchedule: false,
} as const;

const OVERLOAD = {
  inputs: INPUTS,
  profiling: { rate: 60, pattern: 'constant', durationS: 120 },
  overSaturationSeconds: 10,
  storage: { keepJournal: true },
} as const;

const readDocument = (folder: string): ProfileExport =>
  JSON.parse(readFileSync(join(folder, 'profile_export_aiperf.json'), 'utf8'));

describe.each([
  ['in the main thread', {}],
  ['in worker threads', { workers: 2 }],
])('a load that exceeds the capacity of the server (%s)', (_, workers) => {
  test('is ended, and the export contains the evidence', async () => {
    const plan = createProfilePlan(url, { ...OVERLOAD, ...workers });
    const { document, wasCancelled, load } = await runProfile(plan, {});
    expect(wasCancelled).toBe(false);
    expect(load.phases.at(-1)!.stopReason).toBe('over_saturated');
    expect(document).toMatchObject({
      was_cancelled: false,
      is_complete: false,
      incomplete_reason: 'The load was ended early because the servers were over-saturated.',
      servelens_config: { over_saturation_window: 10 },
      load_generator: { stop_reason: 'over_saturated', over_saturation: { signal: 'server_queue' } },
    });
    const { growth, window, requests } = document.load_generator!.over_saturation!;
    // The bounds are as wide as the increments vary, and a busy machine delays samples. Their mean does not vary.
    expect(growth.low).toBeGreaterThan(0);
    expect(growth.per_second).toBeGreaterThan(10);
    expect(growth.high).toBeGreaterThan(growth.per_second);
    expect(window).toBeGreaterThanOrEqual(10);
    expect(requests).toBeGreaterThan(100);
    expect((await validate(writeProfileExportJson(document), { strict: true })).issues).toEqual([]);
    rmSync(join(plan.folder, 'profile_export_aiperf.json'));
    await recover(join(plan.folder, 'server_metrics.journal'));
    expect(readDocument(plan.folder).load_generator).toEqual(document.load_generator);
  }, 120_000);
});

test('a load within the capacity of the server is not ended', async () => {
  const plan = createProfilePlan(url, {
    inputs: INPUTS,
    profiling: { rate: 4, pattern: 'constant', durationS: 15 },
    overSaturationSeconds: 10,
  });
  const { document } = await runProfile(plan, {});
  expect(document.load_generator).toMatchObject({ stop_reason: 'duration' });
  expect(document.load_generator!.over_saturation).toBeUndefined();
}, 120_000);
