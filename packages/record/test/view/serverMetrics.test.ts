import { EndpointStore, estimatePolynomialPercentiles, Layout } from '@org/core';
import { validate } from '@org/formats';
import { writeServerMetricsJson } from '@org/formats/write';
import { describe, expect, test } from 'vitest';
import type { BoundarySamples } from '../../src/runRecord.ts';
import { createExportView } from '../../src/view/exportView.ts';
import { createServerMetricsDocument } from '../../src/view/serverMetrics.ts';
import { toSummary } from '../../src/view/summary.ts';
import { createEndpointRecord, createRunRecord, HEALTHY, type ScrapeRow, T0 } from '../support/runRecord.ts';

const estimator = estimatePolynomialPercentiles;
const createHistogram = (
  lowCount: number,
  totalCount: number,
): { sum: number; count: number; buckets: Record<string, number> } => ({
  sum: lowCount + totalCount,
  count: totalCount,
  buckets: { '0.005': 0, '1': lowCount, '5': lowCount, '10': totalCount, '+Inf': totalCount },
});

const run = createRunRecord(
  [
    createEndpointRecord('http://b:1/metrics', { g: 'gauge', c: 'counter', h: 'histogram' }, [
      [0, { 'g{m=x}': 1, 'c{m=x}': 100, 'h{m=x}': createHistogram(1, 2) }],
      [1, { 'g{m=x}': 3, 'c{m=x}': 110, 'h{m=x}': createHistogram(1, 2) }],
      [2, { 'g{m=x}': 5, 'c{m=x}': 130, 'h{m=x}': createHistogram(3, 8) }],
      [3, { 'g{m=x}': 7, 'c{m=x}': 150, 'h{m=x}': createHistogram(3, 9) }],
      [9, { 'g{m=x}': 999, 'c{m=x}': 999, 'h{m=x}': createHistogram(30, 90) }],
    ]),
    createEndpointRecord('http://a:1/metrics', { g: 'gauge' }, [
      [1, { 'g{m=x}': 4 }],
      [2, { 'g{m=x}': 4 }],
    ]),
    {
      ...createEndpointRecord('http://down:1/metrics', {}, []),
      health: { ...HEALTHY, status: 'no_data', last_error: 'refused the connection', scrapes_failed: 4 },
    },
  ],
  1,
  2,
);

test('groups the series of all endpoints by metric, up to the closing sample', () => {
  const { metrics } = createServerMetricsDocument(createExportView(run), { estimator });
  expect(Object.keys(metrics)).toEqual(['c', 'g', 'h']);
  expect(metrics.g!.series.map(({ endpoint_url }) => endpoint_url)).toEqual([
    'http://a:1/metrics',
    'http://b:1/metrics',
  ]);
  // Counters increase from the last sample before the period, at second 0, to the closing sample at second 3.
  expect(metrics.c!.series[0]!.stats).toMatchObject({ total: 50, rate: 50 / 3 });
  expect(metrics.g!.series[1]!.stats).toMatchObject({ avg: 5, min: 3, max: 7 });
  expect(metrics.h!.series[0]).toMatchObject({ stats: { count: 7, sum: 9 }, buckets: { '1': 2, '+Inf': 7 } });
});

test('records the failures of an endpoint', () => {
  const { summary } = createServerMetricsDocument(createExportView(run), { estimator });
  expect(summary.endpoints_configured).toEqual([
    'http://b:1/metrics',
    'http://a:1/metrics',
    'http://down:1/metrics',
  ]);
  expect(summary.endpoints_successful).toEqual(['http://b:1/metrics', 'http://a:1/metrics']);
  expect(summary.endpoint_info['http://down:1/metrics']).toEqual({
    total_fetches: 0,
    unique_updates: 0,
    status: 'no_data',
    last_error: 'refused the connection',
    scrapes_failed: 4,
    scrapes_late: 0,
    samples_dropped: 0,
    lines_dropped: 0,
    bytes_received: 100,
    outages: [],
  });
});

describe('the distance of boundary samples from the period', () => {
  const toNs = (seconds: number): bigint => T0 + BigInt(seconds * 1000) * 1_000_000n;
  const bothBoundaries = { baseline_ns: toNs(9.9), closing_ns: toNs(20.2) };

  test.each<[string, number[], BoundarySamples, number, number]>([
    ['has both barrier samples', [9, 9.9, 15, 20.1, 20.2], bothBoundaries, 100, 200],
    [
      'was down at the start: from the last sample before it',
      [8, 12, 20.1],
      { closing_ns: toNs(20.1) },
      2000,
      100,
    ],
    ['appeared after the start: from its first sample', [12, 20.1], { closing_ns: toNs(20.1) }, 2000, 100],
    [
      'was down at the end: from the next sample after it',
      [9.9, 15, 23],
      { baseline_ns: toNs(9.9) },
      100,
      3000,
    ],
    ['stayed down: from its last sample', [9.9, 15], { baseline_ns: toNs(9.9) }, 100, 5000],
    ['disappeared before the start: from its last sample', [4], {}, 6000, 16_000],
  ])('is measured for an endpoint that %s', (_, times, boundaries, startMs, endMs) => {
    const rows = times.map((time): ScrapeRow => [time, { c: time }]);
    const endpoint = { ...createEndpointRecord('http://a:1/metrics', { c: 'counter' }, rows), boundaries };
    const { endpoint_info: info } = toSummary(createRunRecord([endpoint], 10, 20));
    const { baseline_ns, closing_ns, start_slack_ms, end_slack_ms } = info['http://a:1/metrics']!;
    expect({ start_slack_ms, end_slack_ms }).toEqual({ start_slack_ms: startMs, end_slack_ms: endMs });
    expect({ baseline_ns, closing_ns }).toEqual({
      baseline_ns: undefined,
      closing_ns: undefined,
      ...boundaries,
    });
  });
});

test('writes valid JSON with ordered buckets and exact nanoseconds', async () => {
  const text = writeServerMetricsJson(
    createServerMetricsDocument(createExportView(run), { estimator, sliceSeconds: 1 }),
  );
  expect(await validate(text)).toMatchObject({
    document: 'server-metrics',
    version: '1.0',
    valid: true,
    issues: [],
  });
  expect(text).toMatch(/"0\.005": 0,\s*"1": 2,\s*"5": 2,\s*"10": 7,\s*"\+Inf": 7/);
  expect(text).toContain(`"first_fetch_ns": ${T0}`);
  expect(text).toContain(`"start_ns": ${T0 + 1_000_000_000n}`);
});

describe('the unit of a metric', () => {
  const resolveUnit = (...declared: (string | undefined)[]): unknown => {
    const endpoints = declared.map((declaredUnit, at) => {
      const layout = new Layout();
      const family = { name: 'used_bytes', type: 'gauge', help: '' } as const;
      layout.scalar(declaredUnit === undefined ? family : { ...family, declaredUnit }, []);
      const store = new EndpointStore(layout);
      const frame = { timestampNs: T0 + 1_000_000_000n, latencyNs: 1, changed: true };
      store.append({ ...frame, values: Float64Array.of(7) });
      return { ...createEndpointRecord(`http://${at}:1/metrics`, {}, []), store };
    });
    return createServerMetricsDocument(createExportView(createRunRecord(endpoints, 1, 2)), { estimator })
      .metrics.used_bytes!.unit;
  };

  test.each([
    ['inferred from the name', [undefined], 'bytes'],
    ['declared by a `# UNIT` line, in its normalized form', ['joules'], 'joule'],
    ['declared, and unchanged because it has no normalized form', ['furlongs'], 'furlongs'],
    ['declared by any of the endpoints', [undefined, 'joules'], 'joule'],
  ])('is %s', (_, declared, unit) => {
    expect(resolveUnit(...declared)).toBe(unit);
  });
});

describe('colliding names and labels', () => {
  test('keeps families of different types separate', () => {
    const endpoint = createEndpointRecord('http://a:1/metrics', { a: 'counter', 'a@2': 'gauge' }, [
      [0, { a: 1, 'a@2': 5 }],
      [1, { a: 2, 'a@2': 6 }],
    ]);
    const { metrics } = createServerMetricsDocument(createExportView(createRunRecord([endpoint], 1, 2)), {
      estimator,
    });
    expect(Object.entries(metrics).map(([name, { type }]) => [name, type])).toEqual([
      ['a', 'gauge'],
      ['a_total', 'counter'],
    ]);
  });

  test('keeps metrics and labels with hostile names', async () => {
    const types = Object.fromEntries([
      ['constructor', 'gauge' as const],
      ['__proto__x', 'gauge' as const],
    ]);
    const endpoint = createEndpointRecord('http://a:1/metrics', types, [
      [1, { 'constructor{__proto__=p}': 1, '__proto__x{constructor==cmd()}': 2 }],
    ]);
    const document = createServerMetricsDocument(createExportView(createRunRecord([endpoint], 1, 2)), {
      estimator,
    });
    const parsed = JSON.parse(writeServerMetricsJson(document));
    expect(Object.entries(parsed.metrics.constructor.series[0].labels)).toEqual([['__proto__', 'p']]);
    expect((await validate(writeServerMetricsJson(document))).issues).toEqual([]);
  });
});

test('includes the few milliseconds up to the closing sample in the last complete timeslice', async () => {
  const rows = [0, 0.3, 0.6, 0.9, 1.2, 1.5, 1.8, 2.1, 2.4, 2.7, 3.0024].map(
    (seconds, row) =>
      [
        seconds,
        { 'g{m=x}': row, 'c{m=x}': 100 * row * row, 'h{m=x}': createHistogram(row, 3 * row * row) },
      ] as const,
  );
  const types = { g: 'gauge', c: 'counter', h: 'histogram' } as const;
  const record = createRunRecord([createEndpointRecord('http://a:1/metrics', types, rows)], 1, 3);
  const document = createServerMetricsDocument(createExportView(record), { estimator, sliceSeconds: 1 });
  const ends = [T0 + 2_000_000_000n, T0 + 3_000_000_000n];
  for (const metric of Object.values(document.metrics)) {
    const slices = metric.series[0]!.timeslices!;
    expect(slices.map(slice => slice.end_ns)).toEqual(ends);
    expect(JSON.stringify(slices.map(slice => slice.is_complete))).toBe('[null,null]');
  }
  const { c, h, g } = document.metrics;
  expect(g!.series[0]!.timeslices![1]).toMatchObject({ min: 7, max: 10 });
  expect(c!.series[0]).toMatchObject({
    stats: { total: 9100 },
    timeslices: [{ total: 2700 }, { total: 6400 }],
  });
  expect(h!.series[0]).toMatchObject({ stats: { count: 273 }, timeslices: [{ count: 81 }, { count: 192 }] });
  expect((await validate(writeServerMetricsJson(document))).issues).toEqual([]);
});

test('writes a valid empty document for a run without data', async () => {
  const down = {
    ...createEndpointRecord('http://down:1/metrics', {}, []),
    health: { ...HEALTHY, status: 'no_data' },
  };
  const document = createServerMetricsDocument(createExportView(createRunRecord([down], 1, 2)), {
    estimator,
  });
  expect(document.metrics).toEqual({});
  expect((await validate(writeServerMetricsJson(document))).valid).toBe(true);
});
