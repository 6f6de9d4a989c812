import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { estimatePolynomialPercentiles } from '@org/core';
import { fromPath } from '@org/formats/read';
import { writeServerMetricsJson, writeServerMetricsLine } from '@org/formats/write';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readJsonlRecord } from '../../src/open/jsonlRecord.ts';
import { createExportView } from '../../src/view/exportView.ts';
import { generateServerMetricsRecords } from '../../src/view/jsonlRecords.ts';
import { createServerMetricsDocument } from '../../src/view/serverMetrics.ts';
import { coldRun } from '../support/coldRun.ts';
import { mixedRun } from '../support/mixedRun.ts';
import { T0 } from '../support/runRecord.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'jsonl-record-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const computeDocument = (run: typeof mixedRun) =>
  createServerMetricsDocument(createExportView(run), { estimator: estimatePolynomialPercentiles });

function writeLines(lines: readonly string[]): string {
  const file = join(folder, 'server_metrics_export.jsonl');
  writeFileSync(file, lines.map(line => `${line}\n`).join(''));
  return file;
}

const TAGGED_LINES = [...generateServerMetricsRecords(createExportView(mixedRun))].map(record =>
  writeServerMetricsLine(record),
);
/** Lines of earlier versions, which have no phases. */
const LINES = TAGGED_LINES.map(line => line.replace(/,"benchmark_phase".*(?=\}$)/, ''));

test('takes the types of metrics and the description of the run from the JSON export', async () => {
  const json = join(folder, 'server_metrics_export.json');
  const document = computeDocument(mixedRun);
  const text = JSON.stringify(document, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
  writeFileSync(json, text.replace(/"(\d+)n"/g, '$1'));
  const { record, warnings } = await readJsonlRecord(fromPath(writeLines(TAGGED_LINES)), { json });
  expect(warnings).toEqual([expect.stringMatching(/^1 scrape of .* had an unchanged body/)]);
  expect(record.period).toEqual(mixedRun.period);
  expect(computeDocument(record).metrics.c).toMatchObject(document.metrics.c!);
});

test('computes the same increases as the run, from the creation of series and across a restart', async () => {
  const json = join(folder, 'server_metrics_export.json');
  const document = computeDocument(coldRun);
  writeFileSync(json, writeServerMetricsJson(document));
  const lines = [...generateServerMetricsRecords(createExportView(coldRun))].map(record =>
    writeServerMetricsLine(record),
  );
  const { record } = await readJsonlRecord(fromPath(writeLines(lines)), { json });
  const listIncreases = ({ metrics }: typeof document) =>
    Object.entries(metrics).map(([name, { series }]) => [
      name,
      series.map(({ stats }) =>
        'increase' in stats ? [stats.resets, stats.created_in_run, stats.increase] : [],
      ),
    ]);
  expect(listIncreases(computeDocument(record))).toEqual(listIncreases(document));
});

test('covers all scrapes without a JSON export, and recognizes counters by name', async () => {
  const { record, warnings } = await readJsonlRecord(fromPath(writeLines(LINES)), {
    isCounter: name => name === 'c',
  });
  expect(record.period).toEqual({ startNs: T0, endNs: T0 + 4_000_000_000n });
  const { metrics } = computeDocument(record);
  expect([metrics.c?.type, metrics.g?.type, metrics.h?.type]).toEqual(['counter', 'unknown', 'histogram']);
  expect(warnings.join()).toMatch(/lack types and the profiling period/);
});

test('starts the period at the first line that is tagged with the profiling phase', async () => {
  const tagged = LINES.map((line, index) =>
    line.replace(/^\{/, `{"benchmark_phase":"${index < 2 ? 'warmup' : 'profiling'}",`),
  );
  const { record, warnings } = await readJsonlRecord(fromPath(writeLines(tagged)), {});
  expect(record.period.startNs).toBe(T0 + 1_000_000_000n);
  expect(warnings.join()).toMatch(/lack types: /);
  expect(warnings.join()).not.toMatch(/warm-up/);
});

test('rejects a file without records', async () => {
  await expect(readJsonlRecord(fromPath(writeLines([])), {})).rejects.toThrow('contains no records');
});
