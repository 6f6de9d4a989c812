import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PERCENTILE_METHODS } from '@org/core';
import { type Issue, validate } from '@org/formats';
import { readServerMetricsParquet } from '@org/formats/parquet';
import { writeServerMetricsCsv, writeServerMetricsJson, writeServerMetricsLine } from '@org/formats/write';
import type { ExportFormat, RunRecord } from '@org/record';
import { recoverRun } from '@org/record/journal';
import { createServerMetricsDocument, exportView, generateServerMetricsRecords } from '@org/record/view';
import { exportRun } from '@org/run/export';
import { type Replay, replayJournal } from '@org/scrape';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { main } from '../src/main.ts';
import { testIo } from './io.ts';
import { ScriptedServer, scriptedStore } from './support/scriptedServer.ts';

/** CI kills 200 times; some tell a newcomer enough. */
const KILLS = process.env.CI ? 200 : 40;
const AT_ONCE = 4;
const BIN = fileURLToPath(new URL('../bin/servelens.js', import.meta.url));
const FAST = {
  AIPERF_SERVER_METRICS_COLLECTION_INTERVAL: '0.04',
  AIPERF_SERVER_METRICS_COLLECTION_FLUSH_PERIOD: '0.1',
};
const TEXTS: readonly ExportFormat[] = ['json', 'csv', 'jsonl'];
const ALL: readonly ExportFormat[] = [...TEXTS, 'parquet'];

const server = new ScriptedServer();
let base = '';
let folder = '';
beforeAll(async () => {
  base = await server.listen();
  folder = mkdtempSync(join(tmpdir(), 'kill-'));
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

const collectArguments = (run: number, ...more: string[]): string[] => [
  'collect',
  ...['--server-metrics', `${base}/${run}/metrics`, '--artifact-dir', join(folder, String(run))],
  ...[
    '--slice-duration',
    '0.2',
    '--percentile-method',
    'linear',
    '--server-metrics-formats',
    ...ALL,
    '--quiet',
    ...more,
  ],
];

/** Of ten runs one is killed so many ms after it was started, at most; the others after 2, 4, ... scrapes and some ms. */
const EARLY_MS = 400;
const LATER_MS = 60;

/** Kills a collecting process: mostly when it has scraped for a while, sometimes before. */
async function killed(run: number): Promise<void> {
  const child = spawn(process.execPath, [BIN, ...collectArguments(run, '--duration', '60')], {
    env: { ...process.env, ...FAST },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr!.on('data', text => {
    said += text;
  });
  const ended = new Promise<string | null>(resolve => child.on('close', (_, signal) => resolve(signal)));
  if (run % 10 === 0) killAfter(child, Math.random() * EARLY_MS);
  else kills.set(run, () => killAfter(child, Math.random() * LATER_MS));
  expect(await ended, said).toBe('SIGKILL');
}

const kills = new Map<number, () => void>();
server.onScrape = (run, scrapes) => {
  if (scrapes === 2 * (run % 10)) kills.get(run)?.();
};

function killAfter(child: ChildProcess, ms: number): void {
  setTimeout(() => child.kill('SIGKILL'), ms);
}

const journalOf = (run: number): string => join(folder, String(run), 'server_metrics.journal');

/** The record of a run with what the server is known to have said in place of what the journal has. */
function scripted(run: number, record: RunRecord): RunRecord {
  const endpoints = record.endpoints.map(endpoint => ({
    ...endpoint,
    store: scriptedStore(run, endpoint.store.timeline(), endpoint.store.latenciesNs()),
  }));
  return { ...record, endpoints };
}

async function exportsOf(record: RunRecord, name: string): Promise<string> {
  const target = join(folder, name);
  mkdirSync(target, { recursive: true });
  const options = { percentileMethod: 'linear', sliceSeconds: 0.2, batchSize: 100 } as const;
  const { results } = await exportRun(record, { folder: target, formats: ALL, ...options });
  expect(results.map(({ failure }) => failure)).toEqual(ALL.map(() => undefined));
  return target;
}

const pathIn = (where: string, format: ExportFormat): string =>
  join(where, `server_metrics_export.${format}`);

async function expectSameExports(found: string, expected: string): Promise<void> {
  for (const format of TEXTS)
    expect(readFileSync(pathIn(found, format), 'utf8'), format).toBe(
      readFileSync(pathIn(expected, format), 'utf8'),
    );
  expect(await parquetRows(found)).toEqual(await parquetRows(expected));
}

async function parquetRows(where: string): Promise<unknown[]> {
  const rows: unknown[] = [];
  for await (const { columns } of await readServerMetricsParquet(pathIn(where, 'parquet')))
    rows.push([...columns]);
  return rows;
}

/** A run without a scrape in its period has an empty CSV, which is worth a warning only. */
const errorsIn = (issues: readonly Issue[]): Issue[] => issues.filter(({ severity }) => severity === 'error');

/** What the text exports of a run say, without files. */
function getTexts(record: RunRecord): string[] {
  const document = createServerMetricsDocument(exportView(record), {
    estimator: PERCENTILE_METHODS.linear,
    sliceSeconds: 0.2,
  });
  const lines = [...generateServerMetricsRecords(exportView(record))].map(writeServerMetricsLine);
  return [writeServerMetricsJson(document), writeServerMetricsCsv(document), lines.join('\n')];
}

/** Every so many runs are recovered as a user does it: files, all formats, validated. */
const THOROUGH = 5;

/** Recovers a killed run and compares it with what the server said; returns how many scrapes it has. */
async function recovered(run: number): Promise<number> {
  const sent = server.sent.get(run) ?? 0;
  const journal = journalOf(run);
  if (!existsSync(journal) || replayJournal(journal).run === undefined) {
    expect(sent).toBe(0);
    return 0;
  }
  const { record } = recoverRun(journal);
  const scrapes = record.endpoints.reduce((sum, { store }) => sum + store.frameCount, 0);
  // An answer may have been under way when the kill came: that is the one interval.
  expect(scrapes, `of ${sent} scrapes`).toBeGreaterThanOrEqual(sent - 1);
  expect(scrapes).toBeLessThanOrEqual(server.begun.get(run) ?? 0);
  const expected = scripted(run, record);
  expect(getTexts(record)).toEqual(getTexts(expected));
  if (run % THOROUGH === 0) await recoveredByUser(run, expected);
  rmSync(join(folder, String(run)), { recursive: true });
  return scrapes;
}

async function recoveredByUser(run: number, expected: RunRecord): Promise<void> {
  const io = testIo(folder);
  const where = join(folder, String(run));
  expect(await main(['recover', where], io), io.err.join('')).toBe(0);
  await expectSameExports(where, await exportsOf(expected, `${run}-expected`));
  for (const format of ALL)
    expect(errorsIn((await validate(pathIn(where, format))).issues), format).toEqual([]);
}

test(`a collecting process, killed ${KILLS} times at random moments, loses at most one interval`, async () => {
  const scrapes: number[] = [];
  let run = 0;
  const some = async (): Promise<void> => {
    while (run < KILLS) {
      const own = ++run;
      await killed(own);
      scrapes.push(await recovered(own));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, some));
  expect(scrapes).toHaveLength(KILLS);
  expect(scrapes.filter(count => count > 2).length).toBeGreaterThan(KILLS / 2);
}, 600_000);

/** Where the records of a journal end, and of which kind they are: docs/journal-format.md. */
function recordsOf(bytes: Uint8Array): { end: number; isFrame: boolean }[] {
  const found: { end: number; isFrame: boolean }[] = [];
  for (let at = 9; at < bytes.length; ) {
    let size = 0;
    let head = at + 4;
    for (let place = 1; ; place *= 128) {
      size += (bytes[head]! & 127) * place;
      if (bytes[head++]! < 128) break;
    }
    found.push({ end: head + size, isFrame: bytes[head] === 4 });
    at = head + size;
  }
  return found;
}

/** What a replay says, but for how the file ends. */
function essence({ run, endpoints, marks, complete, missedFrames }: Replay): unknown {
  const about = endpoints.map(({ url, health, store, layout }) => [
    url,
    health,
    store.frameCount,
    layout.slotCount,
    store.timeline().offsetsNs.at(-1),
  ]);
  return [run, about, marks, complete, missedFrames];
}

test('a journal truncated at any byte of its last 4 KB is recovered up to its last complete record', async () => {
  const run = KILLS + 1;
  const io = testIo(folder, FAST);
  // Around a command that waits for scrapes: how many there are in a given time depends on the machine.
  const waiting = [process.execPath, '-e', `fetch('${base}/${run}/until/75')`];
  const args = collectArguments(run, '--keep-journal', '--', ...waiting);
  expect(await main(args, io), io.err.join('')).toBe(0);
  const bytes = readFileSync(journalOf(run));
  const records = recordsOf(bytes);
  expect(records.at(-1)!.end).toBe(bytes.length);
  expect(bytes.length).toBeGreaterThan(4096);
  let last = -1;
  let before: unknown;
  let compared = 0;
  for (let cut = bytes.length - 4096; cut <= bytes.length; cut++) {
    const whole = records.filter(({ end }) => end <= cut);
    const replay = replayJournal(bytes.subarray(0, cut));
    const isCut = (whole.at(-1)?.end ?? 0) < cut;
    expect(replay.state, `cut at ${cut}`).toBe(isCut ? 'truncated' : 'complete');
    const found = essence(replay);
    if (whole.length === last) {
      expect(found, `cut at ${cut}`).toEqual(before);
      continue;
    }
    last = whole.length;
    before = found;
    const frames = whole.filter(({ isFrame }) => isFrame).length;
    expect(replay.endpoints[0]!.store.frameCount).toBe(frames);
    // Each whole record once, through files and all four formats.
    const { record } = recoverRun(cutFile(bytes, cut));
    const expected = await exportsOf(scripted(run, record), 'cut-expected');
    await expectSameExports(await exportsOf(record, 'cut-found'), expected);
    if (compared++ % 8 === 0)
      for (const format of ALL)
        expect(errorsIn((await validate(pathIn(expected, format))).issues), format).toEqual([]);
  }
  expect(compared).toBeGreaterThan(20);
}, 300_000);

function cutFile(bytes: Uint8Array, cut: number): string {
  const path = join(folder, 'cut.journal');
  writeFileSync(path, bytes.subarray(0, cut));
  return path;
}
