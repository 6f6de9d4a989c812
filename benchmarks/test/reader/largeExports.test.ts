import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromPath, readProfileSweep, readRecords } from '@org/formats/read';
import { afterAll, expect, test } from 'vitest';
import { writeRecordsExport } from '../../src/reader/recordsExport.ts';
import { writeSweepExport } from '../../src/reader/sweepExport.ts';

const folder = mkdtempSync(join(tmpdir(), 'large-exports-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('writes a valid sweep', async () => {
  const { per_combination_metrics } = await readProfileSweep(fromPath(writeSweepExport(folder, 2)));
  expect(per_combination_metrics).toHaveLength(2);
});

test('writes valid scrapes of each endpoint', async () => {
  const file = join(folder, 'server_metrics_export.jsonl');
  writeRecordsExport(file, 2, 2);
  const urls: string[] = [];
  for await (const { endpoint_url } of readRecords(fromPath(file))) urls.push(endpoint_url);
  expect(urls).toEqual([
    'http://10.0.0.0:8000/metrics',
    'http://10.0.0.1:8000/metrics',
    'http://10.0.0.0:8000/metrics',
    'http://10.0.0.1:8000/metrics',
  ]);
});
