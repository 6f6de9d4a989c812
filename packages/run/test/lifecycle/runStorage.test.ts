import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { RunRecord } from '@org/record';
import type { RunHeader } from '@org/record/journal';
import { createSystemClock } from '@org/scrape';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { RunEvent } from '../../src/events.ts';
import { RunStorage, type WrittenExports } from '../../src/lifecycle/runStorage.ts';
import { resolvePlan, type StoragePlan } from '../../src/plan/runPlan.ts';
import { createFolder } from '../plans.ts';

const RUN_INFO = { benchmarkId: 'b', version: '1.0.0', startNs: 1n, inputConfig: {} };
const RECORD: RunRecord = {
  ...RUN_INFO,
  endNs: 2n,
  period: { startNs: 1n, endNs: 2n },
  cancelled: false,
  endpoints: [],
};
const WRITTEN: WrittenExports = { files: [{ ok: true, path: 'a.json', bytes: 1 }] };
const DISK_FULL: WrittenExports = {
  files: [{ ok: false, path: 'a.json', reason: 'disk_full', message: 'no space', cause: undefined }],
};
const FAILED: WrittenExports = {
  files: [{ ok: false, path: 'a.json', reason: 'failed', message: 'no folder', cause: undefined }],
};

let folder = '';
let events: RunEvent[] = [];
beforeEach(() => {
  folder = createFolder();
  events = [];
});

function openStorage(
  storage: Partial<StoragePlan> = {},
  interruptSignal: AbortSignal = new AbortController().signal,
): RunStorage {
  const header: RunHeader = { ...RUN_INFO, exports: { formats: ['json'], percentileMethod: 'moments' } };
  const plan = resolvePlan({ folder, targets: [], exports: { formats: ['json'] }, storage });
  const emit = (event: RunEvent): void => void events.push(event);
  const { benchmarkId, version } = RUN_INFO;
  const context = {
    plan,
    benchmarkId,
    version,
    cliCommand: undefined,
    clock: createSystemClock(),
    emit,
    interruptSignal,
  };
  return new RunStorage(context, header);
}

test('writes the exports and removes the journal', async () => {
  const storage = openStorage();
  expect(readdirSync(folder)).toContain('server_metrics.journal');
  const { exports } = await storage.writeExports(RECORD, []);
  expect(exports.results.map(({ format, failure }) => [format, failure])).toEqual([['json', undefined]]);
  expect(await storage.closeJournal(WRITTEN)).toBe(true);
  expect(readdirSync(folder)).toEqual(['server_metrics_export.json']);
  expect(events.filter(({ type }) => type !== 'export_progressed')).toEqual([]);
});

test('keeps the journal if `keepJournal` is set', async () => {
  const storage = openStorage({ keepJournal: true });
  await storage.writeExports(RECORD, []);
  await storage.closeJournal(WRITTEN);
  expect(readdirSync(folder).sort()).toEqual(['server_metrics.journal', 'server_metrics_export.json']);
});

test('returns the failure of an export that cannot be written', async () => {
  mkdirSync(join(folder, 'server_metrics_export.json', 'x'), { recursive: true });
  const { exports } = await openStorage().writeExports(RECORD, []);
  expect(exports.results[0]!.failure).toBeDefined();
});

test('removes the journal of an abandoned run', async () => {
  await openStorage().abandon();
  expect(readdirSync(folder)).toEqual([]);
});

describe('closeJournal', () => {
  test('keeps the journal and reports it if an export is missing', async () => {
    expect(await openStorage().closeJournal(DISK_FULL)).toBe(false);
    expect(existsSync(join(folder, 'server_metrics.journal'))).toBe(true);
    expect(events).toEqual([
      { type: 'journal_kept', folder, hasJournal: true, isDiskFull: true, missedScrapes: 0 },
    ]);
  });

  test('reports a journal that cannot be removed', async () => {
    const storage = openStorage();
    vi.spyOn(storage.journal, 'remove').mockRejectedValue(new Error('it is locked'));
    await storage.closeJournal(WRITTEN);
    expect(events).toEqual([{ type: 'journal_not_removed', reason: 'it is locked' }]);
  });

  test('reports a run without a journal and its missed scrapes', async () => {
    const storage = openStorage();
    vi.spyOn(storage.journal, 'byteLength', 'get').mockReturnValue(0);
    vi.spyOn(storage.journal, 'missedFrames', 'get').mockReturnValue(3);
    expect(await storage.closeJournal(FAILED)).toBe(false);
    expect(events).toEqual([
      { type: 'journal_kept', folder, hasJournal: false, isDiskFull: false, missedScrapes: 3 },
    ]);
  });
});
