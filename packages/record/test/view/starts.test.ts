import { estimatePolynomialPercentiles } from '@org/core';
import { validate } from '@org/formats';
import { writeServerMetricsJson } from '@org/formats/write';
import { expect, test } from 'vitest';
import type { HealthRecord, RunRecord } from '../../src/runRecord.ts';
import { createExportView, listExportedMetrics } from '../../src/view/exportView.ts';
import { createServerMetricsDocument } from '../../src/view/serverMetrics.ts';
import { coldRun } from '../support/coldRun.ts';
import { createEndpointRecord, createRunRecord, HEALTHY } from '../support/runRecord.ts';

const computeDocument = (run: RunRecord) =>
  createServerMetricsDocument(createExportView(run), {
    estimator: estimatePolynomialPercentiles,
    sliceSeconds: 1,
  });

const withHealth = (run: RunRecord, health: Partial<HealthRecord>): RunRecord => ({
  ...run,
  endpoints: run.endpoints.map(endpoint => ({ ...endpoint, health: { ...endpoint.health, ...health } })),
});

test('counts series that are created at the first request from 0, and across a restart', () => {
  const { metrics } = computeDocument(coldRun);
  // Errors: 3 before the restart, 1 after. Requests: 10 before the restart, 60 after, without a fall to compare.
  expect(metrics.errors!.series[0]!.stats).toMatchObject({
    total: 0,
    resets: 1,
    created_in_run: true,
    increase: 4,
    increase_rate: 4 / 4.5,
  });
  expect(metrics.requests!.series[0]!.stats).toMatchObject({ total: 20, resets: 1, increase: 70 });
  expect(metrics.latency!.series[0]!.stats).toMatchObject({
    resets: 1,
    created_in_run: true,
    increase: { count: 7, sum: 10, avg: 10 / 7, buckets: { '1': 3, '+Inf': 7 } },
  });
  expect(metrics).not.toHaveProperty('errors_created');
});

test('writes increases that the validator accepts', async () => {
  const text = writeServerMetricsJson(computeDocument(coldRun));
  expect((await validate(new TextEncoder().encode(text), { strict: true })).issues).toEqual([]);
});

test('records the number of series without evidence of their start, by reason', () => {
  const outages = [
    {
      start_ns: coldRun.period.startNs,
      end_ns: coldRun.period.startNs + 1n,
      scrapes: 1,
      reason: 'timeout',
      message: 'x',
    },
  ];
  const { summary, metrics } = computeDocument(withHealth(coldRun, { outages, scrapes_failed: 1 }));
  expect(summary.endpoint_info['http://a:1/metrics']).toMatchObject({
    unknown_starts: [{ reason: 'scrape_failed', series: 2 }],
  });
  expect(metrics.errors!.series[0]!.stats).not.toHaveProperty('created_in_run');
  expect(computeDocument(coldRun).summary.endpoint_info['http://a:1/metrics']).not.toHaveProperty(
    'unknown_starts',
  );
});

test.each<[string, Partial<HealthRecord>]>([
  ['dropped lines', { lines_dropped: 1 }],
  ['outages that are not listed', { outages_omitted: 1 }],
  ['address changes that are not listed', { address_changes_omitted: 1 }],
])('claims nothing about an endpoint with %s', (_, health) => {
  const { metrics } = computeDocument(withHealth(coldRun, health));
  expect(metrics.errors!.series[0]!.stats).not.toHaveProperty('created_in_run');
});

test('claims nothing about a journal without a health record', () => {
  const { metrics } = computeDocument(withHealth(coldRun, { status: 'no_data', resets: [] }));
  expect(metrics.errors!.series[0]!.stats).not.toHaveProperty('created_in_run');
});

test('omits the decreases of a counter that behaves like a gauge from the resets of its endpoint', () => {
  const bytes = [5, 3, 9, 2, 8, 1, 7];
  const endpoint = createEndpointRecord(
    'a',
    { tx: 'counter', energy: 'counter' },
    bytes.map((tx, at) => [at, { tx, energy: at }] as const),
  );
  const { originNs } = endpoint.store.timeline();
  const resets = [1, 3, 5].map(second => ({
    at_ns: originNs + BigInt(second) * 1_000_000_000n,
    previous_ns: originNs + BigInt(second - 1) * 1_000_000_000n,
    counters: 1,
  }));
  const run = createRunRecord([{ ...endpoint, health: { ...HEALTHY, resets } }], 1, 6);
  const { summary, metrics } = computeDocument(run);
  expect(summary.endpoint_info.a).not.toHaveProperty('resets');
  expect(metrics.tx!.type).toBe('counter');
  expect(metrics.tx!.series[0]!.stats).toMatchObject({ decreases: 3 });
  expect(metrics.tx!.series[0]!.stats).not.toHaveProperty('resets');
});

test('exports no evidence of starts, but counters with such names', () => {
  const types = { app_uptime_seconds: 'gauge', cx_created: 'counter', requests_created: 'gauge' } as const;
  const run = createRunRecord(
    [createEndpointRecord('a', types, [[0, { app_uptime_seconds: 1, cx_created: 2, requests_created: 3 }]])],
    0,
    1,
  );
  expect(listExportedMetrics(createExportView(run)).map(({ name }) => name)).toEqual(['cx_created']);
});

test('exports a histogram without sums without sum and average, which the validator accepts', async () => {
  const createHistogram = (count: number) => ({
    sum: Number.NaN,
    count,
    buckets: { '1': count - 1, '+Inf': count },
  });
  const rows = [1, 4, 9].map((count, second) => [second, { h: createHistogram(count) }] as const);
  const document = computeDocument(
    createRunRecord([createEndpointRecord('http://a/metrics', { h: 'histogram' }, rows)], 1, 2),
  );
  expect(document.metrics.h!.series[0]).toMatchObject({
    stats: { count: 8, count_rate: 4 },
    buckets: { '+Inf': 8 },
  });
  expect(document.metrics.h!.series[0]!.stats).not.toHaveProperty('sum');
  const { issues } = await validate(new TextEncoder().encode(writeServerMetricsJson(document)), {
    strict: true,
  });
  expect(issues.filter(({ severity }) => severity === 'error')).toEqual([]);
});
