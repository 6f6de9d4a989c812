import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RunInputError } from '@org/record';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PLAN_JOURNAL, PlanJournal, readPlan } from '../../src/repeat/planJournal.ts';
import { createPlan, createReport, createSuccess } from './fakes.ts';

const ignoreState = (): void => {};
const FORMAT = { version: '1.2.3', compatibility: 'aiperf-0.13', prefix: 'p' } as const;
const plan = createPlan({ runs: 2, concurrency: [1, 4] });
/** The caller's variations may have further fields, such as options with secrets. */
const planWithOptions = {
  ...plan,
  variations: plan.variations.map(variation => ({ ...variation, raw: { 'api-key': 'hunter2' } })),
};

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plan-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('restores a plan without the options of its variations', async () => {
  const journal = new PlanJournal(folder, planWithOptions, FORMAT, ignoreState);
  journal.addOutcome(createSuccess(plan.runs[0]!, createReport([1], 1)));
  journal.addOutcome({ run: plan.runs[1]!, error: 'no request was sent' });
  expect(readPlan(folder)!.state).toBe('active');
  await journal.close(false);
  const journaled = readPlan(folder)!;
  expect(journaled.state).toBe('unwritten');
  expect(journaled.format).toEqual(FORMAT);
  expect([...journaled.failures]).toEqual([[plan.runs[1]!.folder, 'no request was sent']]);
  expect(journaled.plan.variations).toEqual(plan.variations);
  expect(journaled.plan.runs.map(({ folder: runFolder, seed }) => [runFolder, seed])).toEqual(
    plan.runs.map(({ folder: runFolder, seed }) => [runFolder, seed]),
  );
  expect(readFileSync(join(folder, PLAN_JOURNAL), 'latin1')).not.toContain('hunter2');
});

test('replaces a stale journal, and can be removed', async () => {
  writeFileSync(join(folder, PLAN_JOURNAL), 'stale');
  const journal = new PlanJournal(folder, plan, FORMAT, ignoreState);
  expect(readPlan(folder)?.plan.runs).toHaveLength(4);
  await journal.remove();
  expect(existsSync(join(folder, PLAN_JOURNAL))).toBe(false);
});

test('throws a RunInputError if the file cannot be replaced', () => {
  mkdirSync(join(folder, PLAN_JOURNAL));
  const open = (): PlanJournal => new PlanJournal(folder, plan, FORMAT, ignoreState);
  expect(open).toThrow(RunInputError);
  expect(open).toThrow(/cannot replace ".*profile_runs\.journal": /);
});
