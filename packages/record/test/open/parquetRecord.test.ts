import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { estimatePolynomialPercentiles } from '@org/core';
import { buildParquetMetadata, openServerMetricsParquet } from '@org/formats/parquet';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readParquetRecord } from '../../src/open/parquetRecord.ts';
import { createExportView } from '../../src/view/exportView.ts';
import { ReferenceCollector } from '../../src/view/parquetMetadata.ts';
import { generateParquetSeries } from '../../src/view/parquetRows.ts';
import { createServerMetricsDocument } from '../../src/view/serverMetrics.ts';
import { coldRun } from '../support/coldRun.ts';
import { mixedRun } from '../support/mixedRun.ts';
import { createEndpointRecord, createRunRecord } from '../support/runRecord.ts';

const sumlessRun = createRunRecord(
  [
    createEndpointRecord(
      'http://a:1/metrics',
      { h: 'histogram' },
      [1, 4, 9].map((count, second) => [
        second,
        { h: { sum: Number.NaN, count, buckets: { '1': count - 1, '+Inf': count } } },
      ]),
    ),
  ],
  1,
  2,
);

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parquet-record-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const mixedView = createExportView(mixedRun);
const computeDocument = (run: typeof mixedRun) =>
  createServerMetricsDocument(createExportView(run), { estimator: estimatePolynomialPercentiles });

async function writeParquet(
  hasRunMetadata: boolean,
  replaced: Readonly<Record<string, string>> = {},
  view = mixedView,
): Promise<string> {
  const file = join(folder, 'server_metrics_export.parquet');
  const { record, summary } = view;
  const metadata = buildParquetMetadata({
    version: record.version,
    benchmarkId: record.benchmarkId,
    exportTime: new Date(0),
    timeFilterStartNs: record.period.startNs,
    timeFilterEndNs: record.period.endNs,
    endpointUrls: record.endpoints.map(({ url }) => url),
    labelColumns: [],
    metricTypeCounts: {},
    modelNames: [],
    inputConfig: record.inputConfig,
    hostname: 'h',
  });
  const entries = metadata.map(([key, value]) => [key, replaced[key] ?? value] as const);
  const writer = await openServerMetricsParquet(file, { labelColumns: [], metadata: entries });
  const references = new ReferenceCollector();
  for (const series of generateParquetSeries(view, references)) await writer.appendSeries(series);
  await writer.close(hasRunMetadata ? [references.toMetadata(summary)] : []);
  return file;
}

test.each([
  ['with a reset', mixedRun],
  ['with a restart and series that were created in the run', coldRun],
  ['with a histogram without sums', sumlessRun],
])('computes the same statistics as the run, %s', async (_name, run) => {
  const { record, warnings } = await readParquetRecord(await writeParquet(true, {}, createExportView(run)));
  const [expected, actual] = [computeDocument(run), computeDocument(record)];
  expect(actual.summary).toEqual(expected.summary);
  const listStats = ({ metrics }: typeof actual) =>
    Object.entries(metrics).map(([name, { series }]) => [name, series.map(({ stats }) => stats)]);
  expect(listStats(actual)).toEqual(listStats(expected));
  expect(warnings).toEqual([]);
});

test('counts from the start of profiling if the file does not record reference samples', async () => {
  const { record, warnings } = await readParquetRecord(await writeParquet(false));
  expect(record.period).toEqual(mixedRun.period);
  expect(record.summary).toBeUndefined();
  expect(warnings.join()).toMatch(/does not record reference samples.*endpoint_info covers only/);
  expect(computeDocument(record).metrics.g).toMatchObject(computeDocument(mixedRun).metrics.g!);
});

test('replaces malformed metadata of another program with values from the rows', async () => {
  const file = await writeParquet(false, {
    'aiperf.time_filter_start_ns': 'soon',
    'aiperf.time_filter_end_ns': '1e9',
    'aiperf.endpoint_urls': '[',
    'aiperf.input_config': '[]',
  });
  const { record } = await readParquetRecord(file);
  expect(record.endpoints.map(({ url }) => url)).toEqual(mixedRun.endpoints.map(({ url }) => url));
  expect(record.inputConfig).toEqual({});
  expect(record.period.endNs).toBeGreaterThan(record.period.startNs);
});
