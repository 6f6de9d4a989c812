import { validate } from '@org/formats';
import { writeServerMetricsLine } from '@org/formats/write';
import { expect, test } from 'vitest';
import { readJsonlStores } from '../../src/open/jsonlStores.ts';
import { createExportView } from '../../src/view/exportView.ts';
import { generateServerMetricsRecords } from '../../src/view/jsonlRecords.ts';
import { mixedRun as run } from '../support/mixedRun.ts';
import { createEndpointRecord, createRunRecord, T0 } from '../support/runRecord.ts';

test('yields every changed scrape in chronological order, with raw values and without _info', async () => {
  const records = [...generateServerMetricsRecords(createExportView(run))];
  expect(records.map(record => [record.endpoint_url, record.timestamp_ns - T0])).toEqual([
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

test('keeps histograms without sums, through writing and reading', async () => {
  const createHistogram = (count: number) => ({
    sum: Number.NaN,
    count,
    buckets: { '1': count - 1, '+Inf': count },
  });
  const frames = [1, 4, 9].map((count, second): [number, object] => [second, { h: createHistogram(count) }]);
  const url = 'http://a:1/metrics';
  const endpoint = createEndpointRecord(url, { h: 'histogram' }, frames as never);
  const view = createExportView(createRunRecord([endpoint], 0, 2));
  const records = [...generateServerMetricsRecords(view)];
  expect(records.map(({ metrics }) => metrics.h)).toEqual(
    [1, 4, 9].map(count => [{ buckets: { '1': count - 1, '+Inf': count }, count }]),
  );
  const text = records.map(record => `${writeServerMetricsLine(record)}\n`).join('');
  expect((await validate(Buffer.from(text))).issues).toEqual([]);
  const { stores } = await readJsonlStores(
    Buffer.from(text),
    name => ({ name, type: 'histogram', help: '' }),
    undefined,
  );
  const store = stores.get(url)!;
  const { counts, sums } = store.histogramSamples(store.layout.series[0] as never);
  expect([...counts]).toEqual([1, 4, 9]);
  expect([...sums]).toEqual([Number.NaN, Number.NaN, Number.NaN]);
});
