import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { endpointRecord, runRecord } from '../../../record/test/support/runRecord.ts';
import { exportWithRetry } from '../../src/export/exportRetry.ts';

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
const patience = () => ({ shouldRetry: () => true, onRetry: vi.fn(), pause: vi.fn(async () => true) });

test('what can be written is not waited for', async () => {
  const waiting = patience();
  const { results } = await exportWithRetry(run, { ...options, folder }, waiting);
  expect(results.map(({ failure }) => failure)).toEqual([undefined, undefined]);
  expect(waiting.onRetry).not.toHaveBeenCalled();
});

test('only a full disk is waited for: time mends nothing else', async () => {
  const waiting = patience();
  const { results } = await exportWithRetry(run, { ...options, folder: join(folder, 'missing') }, waiting);
  expect(results.every(({ failure }) => failure?.includes('its folder does not exist'))).toBe(true);
  expect(waiting.onRetry).not.toHaveBeenCalled();
});
