import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { EndpointStore, estimateLinearPercentiles, Layout } from '@org/core';
import { buildParquetMetadata, openServerMetricsParquet } from '@org/formats/parquet';
import { afterAll, expect, test } from 'vitest';
import { createTempFolder } from '../../../../packages/analysis/test/documents.ts';
import type { RunRecord } from '../../../../packages/record/src/runRecord.ts';
import {
  createExportView,
  createServerMetricsDocument,
  describeParquetExport,
  generateParquetSeries,
  ReferenceCollector,
} from '../../../../packages/record/src/view/index.ts';
import { queryRows } from '../support/queries.ts';

const { path: folder, remove } = createTempFolder('increase');
afterAll(remove);

const T0 = 1_700_000_000_000_000_000n;
const SECOND_NS = 1_000_000_000n;

/** The values of a counter and of the count of a histogram, one per second; `null` before the series exists. */
type Values = readonly (number | null)[];

/** Creates a run whose period starts between the scrapes at seconds 0 and 1. */
function createRun(values: Values): RunRecord {
  const layout = new Layout();
  const store = new EndpointStore(layout);
  layout.scalar({ name: 'up', type: 'gauge', help: '' }, []);
  values.forEach((value, second) => {
    const frame = [1];
    if (value !== null) {
      frame[layout.scalar({ name: 'c', type: 'counter', help: '' }, []).value] = value;
      const histogram = layout.histogram({ name: 'h', type: 'histogram', help: '' }, []);
      frame[histogram.sum] = 2 * value;
      frame[histogram.count] = value;
      frame[layout.bucket(histogram, 1, '1')] = Math.floor(value / 2);
      frame[layout.bucket(histogram, Number.POSITIVE_INFINITY, '+Inf')] = value;
    }
    store.append({
      timestampNs: T0 + BigInt(second) * SECOND_NS,
      latencyNs: 1e6,
      changed: true,
      values: Float64Array.from({ length: layout.slotCount }, (_, slot) => frame[slot] ?? Number.NaN),
    });
  });
  const health = {
    ...{ status: 'active', last_error: null, scrapes_failed: 0, scrapes_late: 0, samples_dropped: 0 },
    ...{ lines_dropped: 0, bytes: 1, outages: [], outages_omitted: 0, unsupported: [] },
  };
  const endNs = T0 + BigInt(values.length - 1) * SECOND_NS;
  return {
    ...{ benchmarkId: 'id', version: '1', startNs: T0, endNs, cancelled: false, inputConfig: {} },
    period: { startNs: T0 + SECOND_NS / 2n, endNs },
    endpoints: [{ url: 'http://a/metrics', configuredUrl: 'http://a/metrics', store, health }],
  };
}

async function writeParquet(record: RunRecord, name: string): Promise<string> {
  const run = join(folder, name);
  mkdirSync(run);
  const view = createExportView(record);
  const description = describeParquetExport(view);
  const metadata = buildParquetMetadata({
    ...description,
    labelColumns: [],
    exportTime: new Date(0),
    hostname: 'h',
  });
  const file = join(run, 'server_metrics_export.parquet');
  const writer = await openServerMetricsParquet(file, { labelColumns: [], metadata });
  const references = new ReferenceCollector();
  for (const series of generateParquetSeries(view, references)) await writer.appendSeries(series);
  await writer.close([references.toMetadata(view.summary)]);
  return run;
}

test.each<[string, Values, number]>([
  ['counts the events up to the first sample of the period', [100, 108, 120, 129], 29],
  ['counts across a reset', [100, 108, 5, 20], 28],
  ['counts a series that was created in the run from 0', [null, 8, 8, 9], 9],
  ['counts a series without a sample before the period from its first sample', [5], 0],
])('increase() %s, like the export', async (name, values, expected) => {
  const record = createRun(values.length === 1 ? [...values, ...values] : values);
  const { metrics } = createServerMetricsDocument(createExportView(record), {
    estimator: estimateLinearPercentiles,
  });
  const { stats } = metrics.c!.series[0]! as { stats: { total: number; increase?: number } };
  expect(stats.increase ?? stats.total).toBe(expected);
  const run = await writeParquet(record, name.replaceAll(' ', '-'));
  const counterSql = 'SELECT increase(value, timestamp_ns) AS n FROM samples WHERE metric_name = $$c$$';
  expect(await queryRows(run, counterSql)).toEqual([{ n: expected }]);
  const histogramSql = `SELECT increase(count, timestamp_ns) AS n, increase(sum, timestamp_ns) AS sum
    FROM histograms WHERE bucket_le = '+Inf'`;
  expect(await queryRows(run, histogramSql)).toEqual([{ n: expected, sum: 2 * expected }]);
});

test('rate() divides by the time since the start of the period', async () => {
  const run = await writeParquet(createRun([100, 108, 120, 135.5]), 'rate');
  const sql = "SELECT rate(value, timestamp_ns) AS rate FROM samples WHERE metric_name = 'c'";
  expect(await queryRows(run, sql)).toEqual([{ rate: 35.5 / 2.5 }]);
});
