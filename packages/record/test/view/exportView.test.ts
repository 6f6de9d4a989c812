import { describe, expect, test } from 'vitest';
import {
  createExportView,
  isInfoMetric,
  listEndpointsSlicedByInterval,
  listSummaryMetrics,
} from '../../src/view/exportView.ts';
import { createEndpointRecord, createRunRecord, T0 } from '../support/runRecord.ts';

const A = 'http://a:1/metrics';
const SUMMARY = { sum: 1, count: 1, quantiles: { '0.5': 1 } };

test('sorts metrics by name, and series by endpoint and labels', () => {
  const b = createEndpointRecord('http://b:1/metrics', { m: 'gauge' }, [[0, { 'm{x=1}': 1 }]]);
  const a = createEndpointRecord(A, { m: 'gauge', k: 'gauge' }, [[0, { 'm{x=2}': 1, 'm{x=1}': 1, k: 1 }]]);
  const { metrics } = createExportView(createRunRecord([b, a], 0, 1));
  expect(metrics.map(({ name }) => name)).toEqual(['k', 'm']);
  expect(metrics[1]!.series.map(({ endpoint, series }) => [endpoint.record.url, series.labels])).toEqual([
    [A, [['x', '1']]],
    [A, [['x', '2']]],
    ['http://b:1/metrics', [['x', '1']]],
  ]);
});

test.each([
  ['a gauge keeps its name next to a counter', ['counter', 'gauge'], ['m gauge', 'm_total counter']],
  [
    'a counter keeps its name next to a histogram',
    ['histogram', 'counter'],
    ['m counter', 'm_histogram histogram'],
  ],
  ['a gauge keeps its name next to unknown', ['unknown', 'gauge'], ['m gauge', 'm_unknown unknown']],
] as const)('separates families that share a name: %s', (_name, types, expected) => {
  const [first, second] = types;
  const createValue = (type: string) =>
    type === 'histogram' ? { sum: 1, count: 1, buckets: { '+Inf': 1 } } : 1;
  const endpoint = createEndpointRecord(A, { 'm@1': first, 'm@2': second }, [
    [0, { 'm@1': createValue(first), 'm@2': createValue(second) }],
  ]);
  const { metrics } = createExportView(createRunRecord([endpoint], 0, 1));
  expect(metrics.map(({ name, type }) => `${name} ${type}`)).toEqual(expected);
});

test('counts the name of a counter next to a gauge as taken', () => {
  const endpoint = createEndpointRecord(A, { 'm@1': 'counter', 'm@2': 'gauge', m_total: 'gauge' }, [
    [0, { 'm@1': 1, 'm@2': 2, m_total: 3 }],
  ]);
  const { metrics } = createExportView(createRunRecord([endpoint], 0, 1));
  expect(new Set(metrics.map(({ name }) => name)).size).toBe(3);
});

describe('the period of an endpoint', () => {
  const endpoint = createEndpointRecord(
    A,
    { g: 'gauge' },
    [0, 1, 2, 3, 4].map(second => [second, { g: second }]),
  );
  const toNs = (seconds: number): bigint => T0 + BigInt(seconds * 1e9);

  test('ends at its closing sample', () => {
    const boundaries = { baseline_ns: toNs(1), closing_ns: toNs(4) };
    const [view] = createExportView(createRunRecord([{ ...endpoint, boundaries }], 1, 2)).endpoints;
    expect(view!.period.endNs).toBe(4e9);
  });

  test('ignores boundary samples for a window that the user chose', () => {
    const run = createRunRecord([{ ...endpoint, boundaries: { closing_ns: toNs(4) } }], 1, 2);
    const [view] = createExportView({ ...run, runPeriod: run.period }).endpoints;
    expect(view!.period.endNs).toBeLessThan(4e9);
  });
});

test('lists summary metrics and recognizes _info gauges', () => {
  const types = { s: 'summary', build_info: 'gauge', some_info: 'counter' } as const;
  const endpoint = createEndpointRecord(A, types, [[0, { s: SUMMARY, build_info: 1, some_info: 1 }]]);
  const view = createExportView(createRunRecord([endpoint], 0, 1));
  expect(listSummaryMetrics(view)).toEqual(['s']);
  expect(view.metrics.filter(isInfoMetric).map(({ name }) => name)).toEqual(['build_info']);
});

test.each([
  [undefined, []],
  [10, []],
  [0.5, [A]],
])('listEndpointsSlicedByInterval with slices of %j s returns %j', (sliceSeconds, expected) => {
  const rows = Array.from({ length: 20 }, (_, second) => [second, { g: second }] as const);
  const view = createExportView(createRunRecord([createEndpointRecord(A, { g: 'gauge' }, rows)], 1, 15));
  expect(listEndpointsSlicedByInterval(view, sliceSeconds)).toEqual(expected);
});
