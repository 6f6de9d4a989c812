import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createEndpointRecord, createRunRecord } from '../../../record/test/support/runRecord.ts';
import { exportWithRetry } from '../../src/export/exportRetry.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'export-retry-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const run = createRunRecord(
  [
    createEndpointRecord('http://a:1/metrics', { c: 'counter' }, [
      [0, { c: 5 }],
      [1, { c: 7 }],
    ]),
  ],
  0,
  1,
);
const options = { percentileMethod: 'linear', batchSize: 100, formats: ['json', 'csv'] } as const;
const createRetryPolicy = () => ({
  shouldRetry: () => true,
  onRetry: vi.fn(),
  pause: vi.fn(async () => true),
});

test('does not retry if all exports are written', async () => {
  const policy = createRetryPolicy();
  const { results } = await exportWithRetry(run, { ...options, folder }, policy);
  expect(results.map(({ failure }) => failure)).toEqual([undefined, undefined]);
  expect(policy.onRetry).not.toHaveBeenCalled();
});

test('does not retry failures other than a full disk', async () => {
  const policy = createRetryPolicy();
  const { results } = await exportWithRetry(run, { ...options, folder: join(folder, 'missing') }, policy);
  expect(results.every(({ failure }) => failure?.includes('its folder does not exist'))).toBe(true);
  expect(policy.onRetry).not.toHaveBeenCalled();
});
