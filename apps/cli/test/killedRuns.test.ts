import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PERCENTILE_METHODS } from '@org/core';
import { fromPath, type Issue, validate } from '@org/formats';
import { readServerMetricsParquet } from '@org/formats/parquet';
import { writeServerMetricsCsv, writeServerMetricsJson, writeServerMetricsLine } from '@org/formats/write';
import type { ExportFormat, RunRecord } from '@org/record';
import { recoverRun } from '@org/record/journal';
import {
  createExportView,
  createServerMetricsDocument,
  generateServerMetricsRecords,
} from '@org/record/view';
import { exportRun } from '@org/run/export';
import { type Replay, replayJournal } from '@org/scrape';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createScriptedStore, ScriptedServer } from './support/scriptedServer.ts';
import { runServelens, type ServelensProcess, startServelens } from './support/servelens.ts';
import { makeSuiteFolder } from './support/temporaryFolder.ts';

/** Number of runs to kill. CI kills more runs. */
const KILLS = process.env.CI ? 100 : 40;
const CONCURRENT_RUNS = 4;
/** One in this number of runs is recovered with `servelens recover`, in addition to the library. */
const RUNS_PER_COMMAND = 5;
/** One in ten runs is killed at a random time up to this limit after its start. */
const MAX_EARLY_KILL_MS = 400;
/** The other runs are killed at a random time up to this limit after their 2nd, 4th, ... or 18th scrape. */
const MAX_KILL_DELAY_MS = 60;

const ENV = {
  AIPERF_SERVER_METRICS_COLLECTION_INTERVAL: '0.04',
  AIPERF_SERVER_METRICS_COLLECTION_FLUSH_PERIOD: '0.1',
};
const TEXT_FORMATS: readonly ExportFormat[] = ['json', 'csv', 'jsonl'];
const ALL_FORMATS: readonly ExportFormat[] = [...TEXT_FORMATS, 'parquet'];

const server = new ScriptedServer();
const folder = makeSuiteFolder();
let baseUrl = '';
beforeAll(async () => {
  baseUrl = await server.listen();
});
afterAll(() => server.close());

function formatArguments(run: number, ...options: string[]): string[] {
  return [
    'collect',
    ...['--server-metrics', `${baseUrl}/${run}/metrics`, '--artifact-dir', join(folder, String(run))],
    ...['--slice-duration', '0.2', '--percentile-method', 'linear'],
    ...['--server-metrics-formats', ...ALL_FORMATS, '--quiet', ...options],
  ];
}

/** Callbacks that kill a run after a number of scrapes, by run. */
const scheduledKills = new Map<number, () => void>();
server.onScrape = (run, scrapes) => {
  if (scrapes === 2 * (run % 10)) scheduledKills.get(run)?.();
};

async function runAndKill(run: number): Promise<void> {
  const started = startServelens(formatArguments(run, '--duration', '60'), { cwd: folder, env: ENV });
  if (run % 10 === 0) killAfter(started, Math.random() * MAX_EARLY_KILL_MS);
  else scheduledKills.set(run, () => killAfter(started, Math.random() * MAX_KILL_DELAY_MS));
  const { signal, err } = await started.ended;
  expect(signal, err).toBe('SIGKILL');
}

function killAfter(started: ServelensProcess, delayMs: number): void {
  setTimeout(() => started.kill('SIGKILL'), delayMs);
}

function getJournalPath(run: number): string {
  return join(folder, String(run), 'server_metrics.journal');
}

/** Returns a copy of a record in which the samples are replaced with the values that the server returned. */
function withScriptedSamples(run: number, record: RunRecord): RunRecord {
  const endpoints = record.endpoints.map(endpoint => ({
    ...endpoint,
    store: createScriptedStore(run, endpoint.store.timeline(), endpoint.store.latenciesNs()),
  }));
  return { ...record, endpoints };
}

/** Exports a record in all formats and returns the folder. */
async function writeExports(record: RunRecord, name: string): Promise<string> {
  const target = join(folder, name);
  mkdirSync(target, { recursive: true });
  const options = { percentileMethod: 'linear', sliceSeconds: 0.2, batchSize: 100 } as const;
  const { results } = await exportRun(record, { folder: target, formats: ALL_FORMATS, ...options });
  expect(results.map(({ failure }) => failure)).toEqual(ALL_FORMATS.map(() => undefined));
  return target;
}

function getExportPath(target: string, format: ExportFormat): string {
  return join(target, `server_metrics_export.${format}`);
}

async function expectSameExports(actual: string, expected: string): Promise<void> {
  for (const format of TEXT_FORMATS)
    expect(readFileSync(getExportPath(actual, format), 'utf8'), format).toBe(
      readFileSync(getExportPath(expected, format), 'utf8'),
    );
  expect(await readParquetColumns(actual)).toEqual(await readParquetColumns(expected));
}

async function readParquetColumns(target: string): Promise<unknown[]> {
  const groups: unknown[] = [];
  for await (const { columns } of await readServerMetricsParquet(getExportPath(target, 'parquet')))
    groups.push([...columns]);
  return groups;
}

/** Expects valid exports. Allows warnings, because the CSV of a run without a scrape in its period is empty. */
async function expectValidExports(target: string): Promise<void> {
  const isError = ({ severity }: Issue): boolean => severity === 'error';
  for (const format of ALL_FORMATS)
    expect((await validate(fromPath(getExportPath(target, format)))).issues.filter(isError), format).toEqual(
      [],
    );
}

/** Renders the text exports of a record without writing files. */
function renderTexts(record: RunRecord): string[] {
  const view = createExportView(record);
  const document = createServerMetricsDocument(view, {
    estimator: PERCENTILE_METHODS.linear,
    sliceSeconds: 0.2,
  });
  const lines = [...generateServerMetricsRecords(view)].map(writeServerMetricsLine);
  return [writeServerMetricsJson(document), writeServerMetricsCsv(document), lines.join('\n')];
}

/**
 * Recovers a killed run, and compares it with the values that the server returned. Returns the number of
 * recovered scrapes.
 */
async function checkRecovery(run: number): Promise<number> {
  const sent = server.sent.get(run) ?? 0;
  const journal = getJournalPath(run);
  if (!existsSync(journal) || replayJournal(journal).run === undefined) {
    expect(sent).toBe(0);
    return 0;
  }
  const { record } = recoverRun(journal);
  const scrapes = record.endpoints.reduce((sum, { store }) => sum + store.frameCount, 0);
  // The last response may have been in flight when the process was killed.
  expect(scrapes, `of ${sent} scrapes`).toBeGreaterThanOrEqual(sent - 1);
  expect(scrapes).toBeLessThanOrEqual(server.started.get(run) ?? 0);
  const expected = withScriptedSamples(run, record);
  expect(renderTexts(record)).toEqual(renderTexts(expected));
  if (run % RUNS_PER_COMMAND === 0) await checkRecoverCommand(run, expected);
  rmSync(join(folder, String(run)), { recursive: true });
  return scrapes;
}

async function checkRecoverCommand(run: number, expected: RunRecord): Promise<void> {
  const target = join(folder, String(run));
  const { code, err } = await runServelens(['recover', target], { cwd: folder });
  expect(code, err).toBe(0);
  await expectSameExports(target, await writeExports(expected, `${run}-expected`));
  await expectValidExports(target);
}

test(`a collect run loses at most one scrape if it is killed at a random time (${KILLS} runs)`, async () => {
  const scrapes: number[] = [];
  let lastRun = 0;
  const killRuns = async (): Promise<void> => {
    while (lastRun < KILLS) {
      const run = ++lastRun;
      await runAndKill(run);
      scrapes.push(await checkRecovery(run));
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_RUNS }, killRuns));
  expect(scrapes).toHaveLength(KILLS);
  expect(scrapes.filter(count => count > 2).length).toBeGreaterThan(KILLS / 2);
}, 600_000);

/** Lists the end offset of each record of a journal, and whether it is a frame; see docs/journal-format.md. */
function listRecords(bytes: Uint8Array): { end: number; isFrame: boolean }[] {
  const records: { end: number; isFrame: boolean }[] = [];
  for (let start = 9; start < bytes.length; ) {
    let size = 0;
    let offset = start + 4;
    for (let factor = 1; ; factor *= 128) {
      size += (bytes[offset]! & 127) * factor;
      if (bytes[offset++]! < 128) break;
    }
    records.push({ end: offset + size, isFrame: bytes[offset] === 4 });
    start = offset + size;
  }
  return records;
}

/** Summarizes a replay, except for `state`, which depends on the end of the file. */
function summarizeReplay({ run, endpoints, marks, complete, missedFrames }: Replay): unknown {
  const summaries = endpoints.map(({ url, health, store, layout }) => [
    url,
    health,
    store.frameCount,
    layout.slotCount,
    store.timeline().offsetsNs.at(-1),
  ]);
  return [run, summaries, marks, complete, missedFrames];
}

test('a journal truncated at any byte of its last 4 KB is recovered up to its last complete record', async () => {
  const run = KILLS + 1;
  // The run ends after 75 scrapes instead of a duration, because a busy machine scrapes less often.
  const command = [process.execPath, '-e', `fetch('${baseUrl}/${run}/until/75')`];
  const args = formatArguments(run, '--keep-journal', '--', ...command);
  const { code, err } = await runServelens(args, { cwd: folder, env: ENV });
  expect(code, err).toBe(0);
  const bytes = readFileSync(getJournalPath(run));
  const records = listRecords(bytes);
  expect(records.at(-1)!.end).toBe(bytes.length);
  expect(bytes.length).toBeGreaterThan(4096);
  let previousCount = -1;
  let previousSummary: unknown;
  let compared = 0;
  for (let size = bytes.length - 4096; size <= bytes.length; size++) {
    const complete = records.filter(({ end }) => end <= size);
    const replay = replayJournal(bytes.subarray(0, size));
    const isTruncated = (complete.at(-1)?.end ?? 0) < size;
    expect(replay.state, `truncated to ${size} bytes`).toBe(isTruncated ? 'truncated' : 'complete');
    const summary = summarizeReplay(replay);
    if (complete.length === previousCount) {
      expect(summary, `truncated to ${size} bytes`).toEqual(previousSummary);
      continue;
    }
    previousCount = complete.length;
    previousSummary = summary;
    const frames = complete.filter(({ isFrame }) => isFrame).length;
    expect(replay.endpoints[0]!.store.frameCount).toBe(frames);
    // Exports are compared once per complete record.
    const { record } = recoverRun(writeTruncatedJournal(bytes, size));
    const expected = await writeExports(withScriptedSamples(run, record), 'truncated-expected');
    await expectSameExports(await writeExports(record, 'truncated-actual'), expected);
    if (compared++ % 8 === 0) await expectValidExports(expected);
  }
  expect(compared).toBeGreaterThan(20);
}, 300_000);

function writeTruncatedJournal(bytes: Uint8Array, size: number): string {
  const path = join(folder, 'truncated.journal');
  writeFileSync(path, bytes.subarray(0, size));
  return path;
}
