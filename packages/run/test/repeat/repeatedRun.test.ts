import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PlanError } from '../../src/plan/planError.ts';
import type { ProfilePlan } from '../../src/plan/profilePlan.ts';
import type { RepeatEvent, RepeatedProfilePlan } from '../../src/repeat/repeatedProfile.ts';
import { runRepeatedly } from '../../src/repeat/repeatedRun.ts';
import { createFolder, createProfilePlan, startSimulator } from '../plans.ts';
import { createPlan } from './fakes.ts';

const url = await startSimulator();

/** Creates a plan of two runs of two requests. */
function createRepeatedPlan(changes: Partial<ProfilePlan> = {}): RepeatedProfilePlan {
  const profile = { targets: [], profiling: { concurrency: 1, requestCount: 2 }, ...changes };
  return {
    folder: createFolder(),
    runs: createPlan({ runs: 2, seed: 40, varySeed: true }),
    profiles: [createProfilePlan(url, profile)],
  };
}

const getJournal = ({ folder }: RepeatedProfilePlan): string => join(folder, 'profile_runs.journal');

test('gives each run its folder, seed and position', async () => {
  const events: RepeatEvent[] = [];
  const plan = createRepeatedPlan();
  const { outcomes } = await runRepeatedly(plan, { onEvent: event => events.push(event) });
  const documents = events.flatMap(event => (event.type === 'run_ended' ? [event.result!.document] : []));
  expect(documents.map(({ run_info }) => run_info)).toMatchObject(
    plan.runs.runs.map(({ seed, trial, label }) => ({ random_seed: seed, trial, run_label: label })),
  );
  expect(new Set(plan.runs.runs.map(({ seed }) => seed)).size).toBe(2);
  for (const { run } of outcomes)
    expect(existsSync(join(plan.folder, run.folder, 'profile_export.jsonl'))).toBe(true);
});

test('keeps the journal if `keepJournal` is set', async () => {
  const plan = createRepeatedPlan({ storage: { keepJournal: true } });
  await runRepeatedly(plan, {});
  expect(existsSync(getJournal(plan))).toBe(true);
});

test('throws the input error of the first run and removes the journal', async () => {
  const plan = createRepeatedPlan({ tokenizer: '/nowhere' });
  await expect(runRepeatedly(plan, {})).rejects.toThrow(PlanError);
  expect(existsSync(getJournal(plan))).toBe(false);
});
