import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { estimatePolynomialPercentiles } from '@org/core';
import { writeServerMetricsJson, writeServerMetricsLine } from '@org/formats/write';
import { createSystemClock } from '@org/scrape';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openJournal } from '../../src/journal/journalFile.ts';
import { formatMissedFrames, openRunRecord } from '../../src/open/openRunRecord.ts';
import { findSampleFiles } from '../../src/open/sampleFiles.ts';
import { RunInputError } from '../../src/runInputError.ts';
import { createExportView } from '../../src/view/exportView.ts';
import { generateServerMetricsRecords } from '../../src/view/jsonlRecords.ts';
import { createServerMetricsDocument } from '../../src/view/serverMetrics.ts';
import { mixedRun } from '../support/mixedRun.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'open-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const view = createExportView(mixedRun);

function writeExport(format: string, content: string): void {
  writeFileSync(join(folder, `server_metrics_export.${format}`), content);
}

function writeJson(): void {
  const document = createServerMetricsDocument(view, { estimator: estimatePolynomialPercentiles });
  writeExport('json', writeServerMetricsJson(document));
}

function writeJsonl(): void {
  const lines = [...generateServerMetricsRecords(view)].map(record => `${writeServerMetricsLine(record)}\n`);
  writeExport('jsonl', lines.join(''));
}

async function writeJournal(): Promise<void> {
  const { benchmarkId, version, startNs, inputConfig } = mixedRun;
  const exports = { formats: ['json'], percentileMethod: 'moments' } as const;
  const header = { benchmarkId, version: version!, startNs, inputConfig, exports };
  await openJournal(folder, header, { clock: createSystemClock() }).close();
}

const open = async (source?: 'journal' | 'parquet' | 'jsonl') =>
  openRunRecord(await findSampleFiles(folder, undefined), source);

test('reads the journal rather than exports', async () => {
  writeJson();
  writeJsonl();
  await writeJournal();
  const { from, path, record, warnings } = await open();
  expect([from, path, warnings]).toEqual(['journal', join(folder, 'server_metrics.journal'), []]);
  expect(record.benchmarkId).toBe(mixedRun.benchmarkId);
});

test('reads the source that the user chose', async () => {
  writeJson();
  writeJsonl();
  await writeJournal();
  const { from, record } = await open('jsonl');
  expect(from).toBe('jsonl');
  expect(record.period).toEqual(mixedRun.period);
});

test.each<[string, () => unknown, 'parquet' | undefined, RegExp]>([
  [
    'only a JSON export',
    writeJson,
    undefined,
    /cannot export .* again: found only statistics and no samples, in "server_metrics_export\.json"/,
  ],
  [
    'a JSONL export without a JSON export',
    writeJsonl,
    undefined,
    /cannot export from .*\.jsonl.* alone: the types and units/,
  ],
  [
    'exports other than the chosen source',
    writeJson,
    'parquet',
    /no Parquet export in .*; found "server_metrics_export\.json"/,
  ],
  [
    'a malformed Parquet file',
    () => writeExport('parquet', 'text'),
    undefined,
    /^cannot export from .*\.parquet: /,
  ],
  [
    'a malformed journal',
    () => writeFileSync(join(folder, 'server_metrics.journal'), 'text'),
    undefined,
    /server_metrics\.journal/,
  ],
])('rejects a folder with %s', async (_, write, source, message) => {
  write();
  await expect(open(source)).rejects.toThrow(RunInputError);
  await expect(open(source)).rejects.toThrow(message);
});

test('formats the number of scrapes that are missing from a journal', () => {
  expect(formatMissedFrames(1)).toMatch(/^1 scrape is missing: /);
  expect(formatMissedFrames(3)).toMatch(/^3 scrapes are missing: /);
});
