import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LOAD_MARK, type RecoveredRun, recoverRun } from '@org/record/journal';
import { expect, test } from 'vitest';
import type { ProfilePlan } from '../../src/plan/profilePlan.ts';
import type { ProfileExports } from '../../src/profile/profileExports.ts';
import { rebuildProfile } from '../../src/recover/rebuildProfile.ts';
import { createFolder, createProfilePlan, runProfilePlan, startSimulator } from '../plans.ts';

const url = await startSimulator();

/**
 * Executes a profile run and reads it back from its journal. `rebuild` writes the exports of the run to a new
 * folder.
 */
async function recordRun(changes: Partial<ProfilePlan> = {}) {
  const folder = createFolder();
  const { document } = await runProfilePlan(url, { folder, storage: { keepJournal: true }, ...changes });
  const run = recoverRun(join(folder, 'server_metrics.journal'));
  const rebuild = (changes: Partial<RecoveredRun> = {}, exports = {}): Promise<ProfileExports> =>
    rebuildProfile({ ...run, ...changes }, run.header.profile!, {
      requests: join(folder, 'profile_export.jsonl'),
      exports: { folder: createFolder(), ...exports },
      server: undefined,
      phases: [],
      emit: () => {},
    });
  return { document, run, rebuild };
}

test('computes the statistics and timeslices of the run from its requests', async () => {
  const { document, rebuild } = await recordRun();
  const { reconciliation: _, ...expected } = document;
  const unsliced = await rebuild();
  expect(unsliced.document).toEqual({ ...expected, recovered: { requests: 10, lines_dropped: 0 } });
  const sliced = await rebuild({}, { sliceSeconds: 1 });
  expect(sliced.document).toEqual(unsliced.document);
  expect(sliced.files.length).toBeGreaterThan(unsliced.files.length);
});

test('counts the responses that the server ended early, also for a run that was killed', async () => {
  const inputTokens = { mean: 20, stddev: 0 };
  const inputs = { inputTokens, outputTokens: { mean: 4000, stddev: 0 } } as const;
  const { document, run, rebuild } = await recordRun({
    inputs: { ...inputs, sampling: 'sequential', fixedSchedule: false },
    request: { ...createProfilePlan(url).request, extraInputs: {} },
  });
  const { early_stops: expected } = document.load_generator!;
  expect(expected).toBeGreaterThan(0);
  expect((await rebuild()).document.load_generator!.early_stops).toBe(expected);
  const marks = run.replay.marks.filter(({ kind }) => kind !== LOAD_MARK.ended);
  const killed = await rebuild({ replay: { ...run.replay, marks } });
  expect(killed.document.load_generator!.early_stops).toBe(expected);
});

test('marks a run that was killed during its load as cancelled', async () => {
  const { document, run, rebuild } = await recordRun();
  const marks = run.replay.marks.filter(({ kind }) => kind !== LOAD_MARK.ended);
  const killed = await rebuild({ replay: { ...run.replay, marks } });
  expect(killed.document).toMatchObject({ was_cancelled: true, request_count: document.request_count });
});

test.each([
  ['without usage in one response, uses the counts of the client', true, 'client'],
  ['with usage in all responses, uses the counts of the server', false, 'server'],
] as const)('a run that was killed %s', async (_, hasMissingUsage, source) => {
  const folder = createFolder();
  await runProfilePlan(url, { folder, storage: { keepJournal: true }, tokenCount: 'auto' });
  const requests = join(folder, 'profile_export.jsonl');
  const lines = readFileSync(requests, 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
  // The line of a response without usage has the client's counts only.
  if (hasMissingUsage) delete lines[3].metadata.client_tokens;
  writeFileSync(requests, lines.map(line => `${JSON.stringify(line)}\n`).join(''));
  const run = recoverRun(join(folder, 'server_metrics.journal'));
  const { document } = await rebuildProfile(run, run.header.profile!, {
    requests,
    exports: { folder: createFolder() },
    server: undefined,
    phases: [],
    emit: () => {},
  });
  expect(document.load_generator).toMatchObject({ token_source: source });
  const lengths = lines.map(({ metadata, metrics }) =>
    source === 'client' && metadata.client_tokens
      ? metadata.client_tokens.input
      : metrics.input_sequence_length.value,
  );
  expect(document.total_isl).toMatchObject({ avg: lengths.reduce((sum, length) => sum + length) });
});
