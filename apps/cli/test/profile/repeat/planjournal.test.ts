import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RunInputError } from '@org/record';
import type { Log } from '@org/run/lifecycle';
import { PLAN_JOURNAL, PlanJournal, readPlan } from '@org/run/repeat';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { planOf, reportOf, successOf } from './fakes.ts';

const SILENT: Log = { info: () => {}, warning: () => {}, error: () => {} };
const ABOUT = { version: '1.2.3', csvLayout: 'aiperf', prefix: 'p' } as const;
const plan = planOf({ 'num-profile-runs': 2, concurrency: '1,4', 'api-key': 'hunter2' });

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plan-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a plan comes back as it was, without what was typed', async () => {
  const journal = new PlanJournal(folder, plan, ABOUT, SILENT);
  journal.ended(successOf(plan.runs[0]!, reportOf([1], 1)));
  journal.ended({ run: plan.runs[1]!, error: 'no request was sent' });
  expect(readPlan(folder)!.goesOn).toBe(true);
  await journal.close(false);
  const kept = readPlan(folder)!;
  expect(kept.goesOn).toBe(false);
  expect(kept.about).toEqual(ABOUT);
  expect([...kept.failures]).toEqual([[plan.runs[1]!.folder, 'no request was sent']]);
  const withoutRaw = plan.variations.map(variation => ({ ...variation, raw: {} }));
  expect(kept.plan.variations).toEqual(withoutRaw);
  expect(kept.plan.runs.map(({ folder: own, seed }) => [own, seed])).toEqual(
    plan.runs.map(({ folder: own, seed }) => [own, seed]),
  );
  expect(readFileSync(join(folder, PLAN_JOURNAL), 'latin1')).not.toContain('hunter2');
});

test('a plan is gone when all is written, and replaces one that came to nothing', async () => {
  writeFileSync(join(folder, PLAN_JOURNAL), 'of before');
  const journal = new PlanJournal(folder, plan, ABOUT, SILENT);
  expect(readPlan(folder)?.plan.runs).toHaveLength(4);
  await journal.close(true);
  expect(existsSync(join(folder, PLAN_JOURNAL))).toBe(false);
});

test('what cannot be replaced is told', () => {
  mkdirSync(join(folder, PLAN_JOURNAL));
  const open = (): PlanJournal => new PlanJournal(folder, plan, ABOUT, SILENT);
  expect(open).toThrow(RunInputError);
  expect(open).toThrow(/cannot replace ".*profile_runs\.journal": /);
});
