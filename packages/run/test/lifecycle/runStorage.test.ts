import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunRecord } from '@org/record';
import type { RunHeader } from '@org/record/journal';
import { createSystemClock } from '@org/scrape';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Keeping } from '../../src/lifecycle/runStorage.ts';

let folder = '';
let said: string[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keeping-'));
  said = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const ABOUT = { benchmarkId: 'b', version: '1.0.0', startNs: 1n, inputConfig: {} };
const RECORD: RunRecord = {
  ...ABOUT,
  endNs: 2n,
  period: { startNs: 1n, endNs: 2n },
  cancelled: false,
  endpoints: [],
};

function keeping(keepJournal = false): Keeping {
  const say = (message: string): void => void said.push(message);
  const header: RunHeader = { ...ABOUT, exports: { formats: ['json'], percentileMethod: 'moments' } };
  return new Keeping({
    folder,
    shownFolder: 'shown',
    header,
    memoryLimit: 2 ** 26,
    batchSize: 100,
    keepJournal,
    clock: createSystemClock(),
    log: { info: say, warning: say, error: say },
    interrupted: new AbortController().signal,
  });
}

test('a run leaves its exports', async () => {
  const kept = keeping();
  expect(readdirSync(folder)).toContain('server_metrics.journal');
  const { results } = await kept.finish(RECORD);
  expect(results.map(({ format, failure }) => [format, failure])).toEqual([['json', undefined]]);
  expect(readdirSync(folder)).toEqual(['server_metrics_export.json']);
  expect(said).toEqual([]);
});

test('and its journal, where it is to stay', async () => {
  await keeping(true).finish(RECORD);
  expect(readdirSync(folder).sort()).toEqual(['server_metrics.journal', 'server_metrics_export.json']);
});

test('an export that cannot be written has the journal stay, and says how to go on', async () => {
  // In the way of the export.
  mkdirSync(join(folder, 'server_metrics_export.json', 'x'), { recursive: true });
  const { results } = await keeping().finish(RECORD);
  expect(results[0]!.failure).toBeDefined();
  expect(existsSync(join(folder, 'server_metrics.journal'))).toBe(true);
  expect(said).toEqual(['the journal stays: servelens recover shown']);
});

test('what never was a run leaves nothing', async () => {
  await keeping().abandon();
  expect(readdirSync(folder)).toEqual([]);
});
