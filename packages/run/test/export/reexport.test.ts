import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RunInputError } from '@org/record';
import { describe, expect, test } from 'vitest';
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

describe('a run of AIPerf without a scrape in profiling', () => {
  const AIPERF = new URL('../../../record/test/files/aiperf-0.13/warmup/', import.meta.url).pathname;
  const SECOND_NS = 1_000_000_000n;
  /** Two consecutive scrapes, 340 ms apart. */
  const SCRAPE_NS = 1795433871237027949n;
  const WARMUP_NS = 1795433858768592961n;

  /** Writes the run with another profiling phase. Returns its folder. */
  function writeRun(startNs: bigint, endNs: bigint, tag = 'profiling'): string {
    const folder = createFolder();
    const json = readFileSync(join(AIPERF, 'server_metrics_export.json'), 'utf8');
    const jsonl = readFileSync(join(AIPERF, 'server_metrics_export.jsonl'), 'utf8');
    const range = `"profiling": { "start_ns": ${startNs}, "end_ns": ${endNs} }`;
    const changed = json.replace(/"profiling": \{[^}]*\}/, range);
    expect(changed).not.toBe(json);
    writeFileSync(join(folder, 'server_metrics_export.json'), changed);
    writeFileSync(
      join(folder, 'server_metrics_export.jsonl'),
      jsonl.replaceAll('"benchmark_phase":"profiling"', `"benchmark_phase":"${tag}"`),
    );
    return folder;
  }

  test.each([
    ['profiling', 'in another hour', SCRAPE_NS + 3600n * SECOND_NS],
    ['aiperf', 'in another hour', SCRAPE_NS + 3600n * SECOND_NS],
    ['profiling', 'before the first scrape', WARMUP_NS - 10n * SECOND_NS],
  ])('is not exported with --window %s if profiling was %s', async (window, _, startNs) => {
    const run = writeRun(startNs, startNs + SECOND_NS);
    const plan = createPlan(run, { formats: ['json', 'csv', 'parquet'], timeRange: { window } });
    await expect(reexport(plan)).rejects.toThrow(/^the period from .* to .* contains no samples/);
    expect(readdirSync(plan.folder!)).toEqual([]);
  });

  test('is not exported with --window aiperf if no scrape is tagged as profiling', async () => {
    const run = writeRun(1795433871226755057n, 1795433873445354617n, 'warmup');
    const plan = createPlan(run, { formats: ['json'], timeRange: { window: 'aiperf' } });
    await expect(reexport(plan)).rejects.toThrow(/^AIPerf's window contains no samples/);
  });

  test('is measured between the scrapes around it if profiling was shorter than the scrape interval', async () => {
    const run = writeRun(SCRAPE_NS + 1_000_000n, SCRAPE_NS + 2_000_000n);
    const { exports } = await reexport(createPlan(run, { formats: ['json'] }));
    expect(Object.keys(exports.document.metrics)).toContain('vllm:num_requests_running');
  });
});
