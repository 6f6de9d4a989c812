import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RunInputError } from '@org/record';
import { expect, test } from 'vitest';
import { ExistingExportError, type ReexportPlan, reexport } from '../../src/export/reexport.ts';
import { collect } from '../../src/index.ts';
import { createCollectPlan, createFolder, startSimulator } from '../plans.ts';

const url = await startSimulator({ arrivalRate: 20 });

/** Collects a run with all exports and its journal. Returns its folder. */
async function collectRun(): Promise<string> {
  const plan = createCollectPlan(url, {
    durationSeconds: 0.5,
    exports: { formats: ['json', 'csv', 'jsonl', 'parquet'] },
    storage: { keepJournal: true },
  });
  await collect(plan);
  return plan.folder;
}

function createPlan(run: string, changes: Partial<ReexportPlan> = {}): ReexportPlan {
  return { run, folder: createFolder(), ...changes };
}

test('writes the same exports with the settings of the run', async () => {
  const run = await collectRun();
  const plan = createPlan(run);
  const openedSources: string[] = [];
  const { isWritten, record } = await reexport(plan, { onOpen: ({ from }) => openedSources.push(from) });
  expect([isWritten, openedSources]).toEqual([true, ['journal']]);
  expect(record.runPeriod).toBeUndefined();
  for (const name of ['json', 'csv', 'jsonl'].map(format => `server_metrics_export.${format}`))
    expect(readFileSync(join(plan.folder!, name), 'utf8'), name).toBe(readFileSync(join(run, name), 'utf8'));
  expect(readdirSync(plan.folder!)).toHaveLength(4);
});

test('exports another time range, and records the profiling period of the run', async () => {
  const run = await collectRun();
  const { record, exports } = await reexport(
    createPlan(run, { formats: ['json'], timeRange: { window: '0.1..0.2' } }),
  );
  expect(Number(record.period.endNs - record.period.startNs)).toBe(1e8);
  expect(exports.document.summary.exported_window).toEqual({
    run_profiling_start_ns: record.runPeriod!.startNs,
    run_profiling_end_ns: record.runPeriod!.endNs,
  });
});

test('prefers the settings of the plan to the settings of the run', async () => {
  const plan = createPlan(await collectRun(), {
    formats: ['json'],
    jsonLayout: 'legacy',
  });
  await reexport(plan);
  expect(readdirSync(plan.folder!)).toEqual(['server_metrics_export.json']);
  const document = JSON.parse(readFileSync(join(plan.folder!, 'server_metrics_export.json'), 'utf8'));
  expect(document).not.toHaveProperty('schema_version');
});

test('reads the chosen source, and omits JSONL, which a Parquet export cannot provide', async () => {
  const plan = createPlan(await collectRun(), { source: 'parquet' });
  await reexport(plan);
  expect(existsSync(join(plan.folder!, 'server_metrics_export.jsonl'))).toBe(false);
});

test.each<[string, Partial<ReexportPlan>, string]>([
  [
    'JSONL from Parquet',
    { source: 'parquet', formats: ['jsonl'] },
    'cannot write JSONL from a Parquet export',
  ],
  [
    'more than the profiling period from Parquet',
    { source: 'parquet', timeRange: { window: '-1..0.1' } },
    'the time range exceeds the profiling period',
  ],
  ['a range outside the run', { timeRange: { window: '100..200' } }, 'the time range is outside the run'],
])('rejects %s', async (_, changes, message) => {
  const plan = createPlan(await collectRun(), changes);
  await expect(reexport(plan)).rejects.toThrow(RunInputError);
  await expect(reexport(plan)).rejects.toThrow(message);
});

test('never overwrites an export of the run', async () => {
  const run = await collectRun();
  const before = readFileSync(join(run, 'server_metrics_export.json'), 'utf8');
  await expect(reexport(createPlan(run, { folder: run }))).rejects.toThrow(
    new ExistingExportError(join(run, 'server_metrics_export.json')),
  );
  expect(readFileSync(join(run, 'server_metrics_export.json'), 'utf8')).toBe(before);
});
