import { appendFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { RunOutcome } from '../../src/repeat/runOutcome.ts';
import { writeRepeated } from '../../src/repeat/writeRepeated.ts';
import { createPlan, createReport, createSuccess, SETTINGS, writeRequestsFile } from './fakes.ts';

const plan = createPlan({ runs: 2 });
const NAMES = ['aggregate.csv', 'aggregate.json', 'collated.json'].map(
  suffix => `profile_export_aiperf_${suffix}`,
);

function createOutcomes(): ReturnType<typeof createSuccess>[] {
  return plan.runs.map(run =>
    createSuccess(run, createReport([10, 20], 1, { requests: writeRequestsFile([10, 20]) })),
  );
}

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'write-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const createSettings = (folder: string) => ({ ...SETTINGS, folder, compatibility: 'servelens' }) as const;

test('writes three files for repeated runs', async () => {
  const folder = createFolder();
  const { files } = await writeRepeated(plan, createOutcomes(), createSettings(folder));
  expect(files.map(({ ok }) => ok)).toEqual([true, true, true]);
  expect(readdirSync(join(folder, 'aggregate')).sort()).toEqual(NAMES);
});

test('writes no collated file if the runs export no requests', async () => {
  const folder = createFolder();
  const outcomes = createOutcomes().map(outcome => ({ ...outcome, requests: undefined }) as RunOutcome);
  const { files, aggregates } = await writeRepeated(plan, outcomes, createSettings(folder));
  expect(files.map(({ ok }) => ok)).toEqual([true, true]);
  expect(aggregates.get(0)!.metrics.request_latency_avg!.mean).toBe(15);
  expect(readdirSync(join(folder, 'aggregate')).sort()).toEqual(NAMES.slice(0, 2));
});

test('fails to write only the file that needs an unreadable requests file', async () => {
  const folder = createFolder();
  const [complete, truncated] = createOutcomes();
  if (truncated && 'requests' in truncated) appendFileSync(truncated.requests!, '{"metadata":');
  const { files, aggregates } = await writeRepeated(plan, [complete!, truncated!], createSettings(folder));
  expect(files.map(({ ok }) => ok)).toEqual([true, true, false]);
  expect(files[2]).toMatchObject({
    message: expect.stringMatching(/^cannot write .*collated\.json: line 3 of .* is not a request$/),
  });
  expect(aggregates.size).toBe(1);
  expect(readdirSync(join(folder, 'aggregate')).sort()).toEqual(NAMES.slice(0, 2));
});

test('returns a failure for each file if the folder cannot be created', async () => {
  const folder = createFolder();
  writeFileSync(join(folder, 'aggregate'), 'a file');
  const { files } = await writeRepeated(plan, createOutcomes(), createSettings(folder));
  expect(files).toHaveLength(3);
  for (const file of files)
    expect(file).toMatchObject({
      ok: false,
      message: expect.stringMatching(/^cannot write .*: cannot use the artifact folder/),
    });
});
