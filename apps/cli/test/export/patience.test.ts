import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportPatiently } from '@org/run/export';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { endpointRecord, runRecord } from './record.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'patience-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const run = runRecord(
  [
    endpointRecord('http://a:1/metrics', { c: 'counter' }, [
      [0, { c: 5 }],
      [1, { c: 7 }],
    ]),
  ],
  0,
  1,
);
const options = { percentileMethod: 'linear', batchSize: 100, formats: ['json', 'csv'] } as const;
const patience = () => ({ isWorthIt: () => true, onWait: vi.fn(), pause: vi.fn(async () => true) });

test('what can be written is not waited for', async () => {
  const waiting = patience();
  const { results } = await exportPatiently(run, { ...options, folder }, waiting);
  expect(results.map(({ failure }) => failure)).toEqual([undefined, undefined]);
  expect(waiting.onWait).not.toHaveBeenCalled();
});

test('only a full disk is waited for: time mends nothing else', async () => {
  const waiting = patience();
  const { results } = await exportPatiently(run, { ...options, folder: join(folder, 'missing') }, waiting);
  expect(results.every(({ failure }) => failure?.includes('its directory does not exist'))).toBe(true);
  expect(waiting.onWait).not.toHaveBeenCalled();
});
