import { validate } from '@org/formats';
import { writeServerMetricsLine } from '@org/formats/write';
import { expect, test } from 'vitest';
import { createExportView } from '../../src/view/exportView.ts';
import { generateServerMetricsRecords } from '../../src/view/jsonlRecords.ts';
import { mixedRun as run } from '../support/mixedRun.ts';
import { T0 } from '../support/runRecord.ts';

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
