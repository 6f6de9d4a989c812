import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeProfileExportJson } from '@org/formats/write';
import { expect, test } from 'vitest';
import { createExport } from '../../../record/test/support/profileExports.ts';
import { getProfilePaths } from '../../src/profile/profilePaths.ts';
import { KILLED, readOutcomes } from '../../src/recover/outcomes.ts';
import type { JournaledPlan } from '../../src/repeat/planJournal.ts';
import { createFolder } from '../plans.ts';
import { createPlan } from '../repeat/fakes.ts';

const plan = createPlan({ runs: 3 });

function createJournaledPlan(failures: Record<string, string> = {}): JournaledPlan {
  return {
    plan,
    format: { version: '1.2.3', compatibility: 'servelens' },
    failures: new Map(Object.entries(failures)),
    earlyEnds: new Set(),
    state: 'unwritten',
  };
}

/** Creates a folder with the JSON exports of runs, given by run index. */
function writeExports(exports: Record<number, string | object>): string {
  const folder = createFolder();
  for (const [index, content] of Object.entries(exports)) {
    const { json } = getProfilePaths(join(folder, plan.runs[Number(index)]!.folder), undefined);
    mkdirSync(dirname(json), { recursive: true });
    writeFileSync(
      json,
      typeof content === 'string' ? content : writeProfileExportJson(createExport([100], 4, content)),
    );
  }
  return folder;
}

test('reads the statistics of complete runs, and skips runs that were not started', async () => {
  const folder = writeExports({ 0: {}, 2: {} });
  const outcomes = await readOutcomes(folder, createJournaledPlan());
  expect(outcomes.map(({ run }) => run.label)).toEqual(['run_0001', 'run_0003']);
  expect(outcomes[0]).toMatchObject({
    requests: join(folder, 'profile_runs/run_0001/profile_export.jsonl'),
  });
});

test('omits the requests of runs that do not export them', async () => {
  const folder = writeExports({ 0: {} });
  const journaled = createJournaledPlan();
  const format = { ...journaled.format, exportLevel: 'summary' } as const;
  const [outcome] = await readOutcomes(folder, { ...journaled, format });
  expect(outcome).toMatchObject({ counts: { succeeded: 1 } });
  expect(outcome).not.toHaveProperty('requests');
});

test.each<[string, object, string]>([
  ['killed', { was_cancelled: true, recovered: { requests: 1, lines_dropped: 0 } }, KILLED],
  ['interrupted', { was_cancelled: true }, 'interrupted'],
  [
    'failed',
    { request_count: { unit: 'requests', avg: 0 }, error_request_count: { unit: 'requests', avg: 2 } },
    'all 2 requests failed',
  ],
])('excludes a run that was %s', async (_, content, error) => {
  const [outcome] = await readOutcomes(writeExports({ 0: content }), createJournaledPlan());
  expect(outcome).toMatchObject({ run: plan.runs[0], error });
  expect(outcome).not.toHaveProperty('statistics');
});

test('excludes a run with a malformed export', async () => {
  const [outcome] = await readOutcomes(writeExports({ 0: '{"schema_version": ' }), createJournaledPlan());
  expect(outcome).toMatchObject({ error: expect.stringContaining('profile_export_aiperf.json') });
});

test('takes the error of a run without exports from the journal of the plan', async () => {
  const failures = { [plan.runs[1]!.folder]: 'cannot use the artifact folder' };
  expect(await readOutcomes(writeExports({}), createJournaledPlan(failures))).toEqual([
    { run: plan.runs[1], error: 'cannot use the artifact folder' },
  ]);
});
