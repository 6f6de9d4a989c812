import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Layout } from '@org/core';
import type { JournalWriter } from '@org/scrape';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openJournal } from '../../src/journal/journalFile.ts';
import { MARK } from '../../src/journal/phaseMarks.ts';
import { recoverRun } from '../../src/journal/recoverRun.ts';
import type { RunHeader } from '../../src/journal/runHeader.ts';
import { RunInputError } from '../../src/runInputError.ts';
import { UNKNOWN_HEALTH } from '../../src/runRecord.ts';
import { toSummary } from '../../src/view/summary.ts';

const HEADER: RunHeader = {
  benchmarkId: 'b',
  version: '0.1.0',
  startNs: 100n,
  inputConfig: { model: 'm' },
  exports: { formats: ['json'], percentileMethod: 'moments' },
};

let folder = '';
let journal: JournalWriter;
let layout: Layout;
beforeEach(() => {
  layout = new Layout();
  folder = mkdtempSync(join(tmpdir(), 'recover-run-'));
  journal = openJournal(folder, HEADER, {});
});
afterEach(async () => {
  await journal.close();
  rmSync(folder, { recursive: true });
});

/** Writes a scrape, and returns its end in the journal. */
function writeFrame(timestampNs: bigint): number {
  const { value } = layout.scalar({ name: 'g', type: 'gauge', help: '' }, []);
  const values = new Float64Array(layout.slotCount);
  values[value] = 7;
  journal.addEndpoint(0, { url: 'http://a/metrics', configuredUrl: 'http://a' });
  journal.append(0, layout, { timestampNs, latencyNs: 1, changed: true, values });
  return statSync(journal.path).size;
}

test('ends a killed run at its last frame', async () => {
  writeFrame(500n);
  journal.addMark({ kind: MARK.profilingStart, atNs: 300n });
  await journal.close();
  const { header, record } = recoverRun(journal.path);
  expect(header).toEqual(HEADER);
  expect(record).toMatchObject({ endNs: 500n, period: { startNs: 300n, endNs: 500n }, cancelled: true });
  expect(record.endpoints).toMatchObject([
    { url: 'http://a/metrics', configuredUrl: 'http://a', health: UNKNOWN_HEALTH },
  ]);
  expect(record.endpoints[0]!.store.frameCount).toBe(1);
});

test('ends a killed run at the last failed scrape, so that a server that died earlier does not look alive', async () => {
  writeFrame(500n);
  journal.addMark({ kind: MARK.profilingStart, atNs: 300n });
  journal.addHealth(0, { ...UNKNOWN_HEALTH, status: 'failing', last_failure_ns: 800n });
  await journal.close();
  expect(recoverRun(journal.path).record).toMatchObject({
    endNs: 800n,
    period: { startNs: 300n, endNs: 800n },
  });
});

test('returns an empty period after the end of a run that was killed during its warm-up', async () => {
  writeFrame(500n);
  await journal.close();
  expect(recoverRun(journal.path).record.period).toEqual({ startNs: 501n, endNs: 501n });
});

test('keeps the recorded end and health of a complete run', async () => {
  writeFrame(500n);
  journal.addMark({ kind: MARK.profilingStart, atNs: 300n });
  journal.addMark({ kind: MARK.profilingEnd, atNs: 450n });
  journal.addHealth(0, { ...UNKNOWN_HEALTH, status: 'active' });
  journal.addMark({ kind: MARK.runEnd, atNs: 900n, data: { cancelled: false } });
  await journal.close();
  const { record } = recoverRun(journal.path);
  expect(record).toMatchObject({ endNs: 900n, period: { startNs: 300n, endNs: 450n }, cancelled: false });
  expect(record.endpoints[0]!.health.status).toBe('active');
});

test('records the data loss of a damaged journal', async () => {
  const ends = [500n, 600n, 700n, 800n].map(writeFrame);
  await journal.close();
  const bytes = readFileSync(journal.path);
  bytes.fill(0xff, ends[1]! + 6, ends[2]! - 1);
  writeFileSync(journal.path, bytes);
  const { record } = recoverRun(journal.path);
  expect(record.dataLoss).toEqual({
    scrapes_lost: 2,
    scrapes_unwritten: 0,
    unreadable_places: 1,
    unreadable_bytes: ends[2]! - ends[1]!,
  });
  expect(toSummary(record).data_loss).toEqual(record.dataLoss);
});

test('records no data loss of a journal that is truncated within the last record', async () => {
  [500n, 600n].map(writeFrame);
  await journal.close();
  truncateSync(journal.path, statSync(journal.path).size - 3);
  const { record } = recoverRun(journal.path);
  expect(record.endNs).toBe(500n);
  expect(record.dataLoss).toBeUndefined();
});

test.each([
  ['a file that is not a journal', 'x'.repeat(100), /journal/],
  ['an empty file', '', /journal|the file is empty/],
])('rejects %s', (_, content, message) => {
  const path = join(folder, 'x.journal');
  writeFileSync(path, content);
  expect(() => recoverRun(path)).toThrow(RunInputError);
  expect(() => recoverRun(path)).toThrow(message);
});

test('rejects a missing file', () => {
  expect(() => recoverRun(join(folder, 'missing.journal'))).toThrow('cannot read journal');
});
