import { describe, expect, test } from 'vitest';
import type { SeriesChunk } from '../../src/parquet/index.ts';
import { checkSeries, countRows } from '../../src/parquet/series.ts';
import { buildHistogram, buildScalar } from './support/chunks.ts';

const gauge = buildScalar('vllm:x', 'gauge', [1, 2]);
const latency = buildHistogram('vllm:y', ['1', '+Inf'], [[1, 2]]);

test.each([
  ['a gauge', gauge, 2],
  ['a histogram', latency, 2],
  ['a histogram without timestamps', buildHistogram('vllm:y', ['1', '+Inf'], []), 0],
])('checkSeries accepts %s, and countRows counts its rows', (_, chunk, rows) => {
  expect(() => checkSeries(chunk)).not.toThrow();
  expect(countRows(chunk)).toBe(rows);
});

describe('checkSeries rejects', () => {
  const parts = latency.histogram!;
  const { values: _, ...bare } = gauge;
  const cases: readonly (readonly [string, SeriesChunk, string])[] = [
    [
      'an unknown type',
      { ...gauge, metricType: 'summary' as 'gauge' },
      'metricType "summary" is not one of gauge, counter, histogram, unknown',
    ],
    ['a gauge without values', bare, 'a gauge needs `values`'],
    ['a gauge with a histogram', { ...gauge, histogram: parts }, 'and no `histogram`'],
    [
      'a histogram without `histogram`',
      { ...bare, metricType: 'histogram' },
      'a histogram needs `histogram`',
    ],
    ['a histogram with values', { ...latency, values: Float64Array.of(1) }, 'and no `values`'],
    ['too few values', { ...gauge, values: Float64Array.of(1) }, 'values has 1 entries; expected 2'],
    [
      'NaN',
      { ...gauge, values: Float64Array.of(1, Number.NaN) },
      'values[1] is NaN; expected a finite number',
    ],
    ['an infinity', { ...gauge, values: Float64Array.of(-Infinity, 1) }, 'values[0] is -Infinity'],
    [
      'no buckets',
      { ...latency, histogram: { ...parts, bounds: [], bucketCounts: [] } },
      '0 bounds and 0 bucketCounts',
    ],
    [
      'more bucket counts than bounds',
      { ...latency, histogram: { ...parts, bounds: ['+Inf'] } },
      '1 bounds and 2 bucketCounts',
    ],
    [
      'too few sums',
      { ...latency, histogram: { ...parts, sums: Float64Array.of() } },
      'sums has 0 entries; expected 1',
    ],
    [
      'NaN in a bucket',
      { ...latency, histogram: { ...parts, bucketCounts: [parts.counts, Float64Array.of(Number.NaN)] } },
      'bucketCounts[1][0] is NaN',
    ],
  ];
  test.each(cases)('%s', (_name, chunk, message) => {
    expect(() => checkSeries(chunk)).toThrow(RangeError);
    expect(() => checkSeries(chunk)).toThrow(message);
    expect(() => checkSeries(chunk)).toThrow(chunk.metricName);
  });
});
