import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readServerMetricsCsv } from '../../src/csv/readServerMetricsCsv.ts';

const readSample = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../files/valid', name), 'utf8');

describe('readServerMetricsCsv', () => {
  it("reads AIPerf's files: comments, CRLF, unescaped cells", () => {
    const { view, isRounded, problems } = readServerMetricsCsv(readSample('server-metrics-aiperf.csv'));
    expect({ isRounded, problems }).toEqual({ isRounded: true, problems: [] });
    expect(view).toMatchObject({
      schema_version: '1.0',
      aiperf_version: '0.8.0',
      benchmark_id: 'id-1',
      metrics: {
        'sim:running': { type: 'gauge', description: 'Running requests, "now"', unit: 'requests' },
        'sim:tokens': {
          type: 'counter',
          description: 'C:\\new',
          series: [{ stats: { total: 1000, rate: 200 } }],
        },
        'sim:seconds': { series: [{ buckets: { '1e-05': 0, '0.0001': 50, '+Inf': 50 } }] },
        'sim:cache_info': { type: 'gauge', series: [{ labels: { block_size: '16', cache_dtype: 'auto' } }] },
      },
    });
  });

  it.each([
    ['CRLF', (text: string) => text.replaceAll('\n', '\r\n')],
    ['a byte order mark', (text: string) => `\ufeff${text}`],
    ['sections without an empty line between them', (text: string) => text.replaceAll('\n\n', '\n')],
    ['several empty lines', (text: string) => text.replaceAll('\n\n', '\n\n\n\n')],
  ])('reads the servelens layout with %s', (_, change) => {
    const text = readSample('server-metrics.csv');
    expect(readServerMetricsCsv(change(text)).view).toEqual(readServerMetricsCsv(text).view);
  });

  it('returns the row of each series, counting comment lines', () => {
    const { rows } = readServerMetricsCsv(readSample('server-metrics-aiperf.csv'));
    expect(rows.get('sim:running')).toMatchObject([{ line: 8, row: 8 }]);
    expect(rows.get('sim:seconds')).toMatchObject([{ line: 14, row: 14 }]);
  });

  it('starts another info series at a repeated key or another endpoint', () => {
    const rows = ['h,a_info,k,1,d', 'h,a_info,l,2,d', 'h,a_info,k,3,d', 'i,a_info,k,4,d'];
    const { view } = readServerMetricsCsv(`Endpoint,Metric,Key,Value,Description\n${rows.join('\n')}\n`);
    expect(view.metrics.a_info!.series.map(series => series.labels)).toEqual([
      { k: '1', l: '2' },
      { k: '3' },
      { k: '4' },
    ]);
  });

  it('reports the line of a missing header', () => {
    expect(readServerMetricsCsv('a,b\n1,2\n').problems).toMatchObject([
      { rule: 'csv-header', position: { line: 1 } },
    ]);
    expect(readServerMetricsCsv('Endpoint,Type,Metric\n').problems).toMatchObject([
      { rule: 'csv-header', position: { line: 1 } },
    ]);
  });
});
