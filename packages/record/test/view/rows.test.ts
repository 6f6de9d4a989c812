import { polynomialPercentiles } from '@org/core';
import { validate } from '@org/formats';
import { writeServerMetricsLine } from '@org/formats/write';
import { expect, test } from 'vitest';
import { exportView } from '../../src/view/exportView.ts';
import { serverMetricsRecords } from '../../src/view/jsonlRecords.ts';
import { parquetSeries } from '../../src/view/parquetRows.ts';
import { serverMetricsDocument } from '../../src/view/serverMetrics.ts';
import { endpointRecord, runRecord, T0 } from '../support/runRecord.ts';

const h = (sum: number, count: number) => ({
  sum,
  count,
  buckets: { '1': Math.min(count, 2), '+Inf': count },
});
const endpoint = endpointRecord(
  'http://a:1/metrics',
  { c: 'counter', g: 'gauge', h: 'histogram', x_info: 'gauge' },
  [
    [0, { c: 5, g: 1, h: h(1, 1), x_info: 1 }],
    [1, { c: 7, g: 2, h: h(2, 2), x_info: 1 }],
    [2, { c: 7, g: 2, h: h(2, 2), x_info: 1 }],
    [3, { c: 9, g: 4, h: h(9, 6), x_info: 1 }],
    [4, { c: 1, g: 8, h: h(9, 6), x_info: 1 }],
  ],
);
const other = endpointRecord('http://b:1/metrics', { g: 'gauge' }, [
  [0.5, { g: 3 }],
  [2.5, { g: 4 }],
]);
const run = runRecord([endpoint, other], 1, 3);

test('JSONL: every scrape that changed something, in order of time, raw, without _info', async () => {
  const records = [...serverMetricsRecords(exportView(run))];
  expect(records.map(one => [one.endpoint_url, one.timestamp_ns - T0])).toEqual([
    ['http://a:1/metrics', 0n],
    ['http://b:1/metrics', 500_000_000n],
    ['http://a:1/metrics', 1_000_000_000n],
    ['http://b:1/metrics', 2_500_000_000n],
    ['http://a:1/metrics', 3_000_000_000n],
    ['http://a:1/metrics', 4_000_000_000n],
  ]);
  expect(records[0]!.metrics).toEqual({
    c: [{ value: 5 }],
    g: [{ value: 1 }],
    h: [{ buckets: { '1': 1, '+Inf': 1 }, sum: 1, count: 1 }],
  });
  expect(records[0]!.request_sent_ns).toBe(T0 - 2_000_000n);
  const text = records.map(record => `${writeServerMetricsLine(record)}\n`).join('');
  expect((await validate(Buffer.from(text))).issues).toEqual([]);
});

test('Parquet rows: deltas from the reference, the period only, clamped at a reset', () => {
  const chunks = [...parquetSeries(exportView(run))];
  const chunk = (name: string) =>
    chunks.find(one => one.metricName === name && one.endpointUrl === 'http://a:1/metrics')!;
  expect(Array.from(chunk('c').timestampsNs, ns => ns - T0)).toEqual([
    1_000_000_000n,
    2_000_000_000n,
    3_000_000_000n,
    4_000_000_000n,
  ]);
  expect(Array.from(chunk('c').values!)).toEqual([2, 2, 4, 0]);
  expect(Array.from(chunk('g').values!)).toEqual([2, 2, 4, 8]);
  expect(chunk('h').histogram).toMatchObject({ bounds: ['1', '+Inf'] });
  expect(Array.from(chunk('h').histogram!.bucketCounts[1]!)).toEqual([1, 1, 5, 5]);
  expect(chunks.map(({ metricName }) => metricName)).toEqual(['c', 'g', 'g', 'h', 'x_info']);
});

test('the last rows are the totals of the JSON export', () => {
  const steady = runRecord([endpoint], 1, 2);
  const { metrics } = serverMetricsDocument(exportView(steady), { estimator: polynomialPercentiles });
  const chunks = [...parquetSeries(exportView(steady))];
  const c = chunks.find(({ metricName }) => metricName === 'c')!;
  expect(metrics.c!.series[0]!.stats).toMatchObject({ total: c.values!.at(-1) });
  const histogram = chunks.find(({ metricName }) => metricName === 'h')!.histogram!;
  expect(metrics.h!.series[0]!.stats).toMatchObject({
    sum: histogram.sums.at(-1),
    count: histogram.counts.at(-1),
  });
});
