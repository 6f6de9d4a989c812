import { describe, expect, test } from 'vitest';
import type { EndpointRecord, RunRecord } from '../../src/runRecord.ts';
import { toSummary } from '../../src/view/summary.ts';
import { createEndpointRecord, createRunRecord, HEALTHY, T0 } from '../support/runRecord.ts';

const A = 'http://a:1/metrics';
const SECONDS = [0, 1, 2, 3, 4];
const endpoint = createEndpointRecord(
  A,
  { g: 'gauge' },
  SECONDS.map(second => [second, { g: second }]),
);
const toNs = (seconds: number): bigint => T0 + BigInt(seconds * 1e9);

/** Returns the summary of the only endpoint of a run whose profiling period is from second 1.5 to second 3. */
function summarize(changes: Partial<EndpointRecord>, run: Partial<RunRecord> = {}) {
  const record = createRunRecord([{ ...endpoint, ...changes }], 1, 3);
  const period = { startNs: toNs(1.5), endNs: toNs(3) };
  return toSummary({ ...record, period, ...run }).endpoint_info[A]!;
}

test('lists the configured endpoints, and the endpoints that returned data', () => {
  const down = { ...createEndpointRecord('http://b:1/metrics', {}, []), configuredUrl: 'http://b:1/stats' };
  const { endpoints_configured, endpoints_successful, endpoint_info } = toSummary(
    createRunRecord([endpoint, down], 1, 3),
  );
  expect(endpoints_configured).toEqual([A, 'http://b:1/stats']);
  expect(endpoints_successful).toEqual([A]);
  expect(endpoint_info['http://b:1/metrics']).toMatchObject({
    total_fetches: 0,
    configured_url: 'http://b:1/stats',
  });
});

test('contains the times of the run, and marks and scraping costs if the run has any', () => {
  const run = createRunRecord([endpoint], 1, 3);
  expect(toSummary(run)).toMatchObject({
    start_time: '2025-12-13T08:50:37.721140Z',
    profiling_start_ns: toNs(1),
    profiling_end_ns: toNs(3),
    was_cancelled: false,
  });
  expect(toSummary(run)).not.toHaveProperty('marks');
  const marks = [{ time_ns: 1n, kind: 'note', text: 'x', sender: 'me' }] as const;
  expect(toSummary({ ...run, marks, scraping: { scrapes: 3, cpu_ms: 6 } })).toMatchObject({
    marks,
    scraping: { scrapes: 3 },
  });
});

test('contains the window and the profiling period of the run, without boundary samples', () => {
  const run = createRunRecord([{ ...endpoint, boundaries: { baseline_ns: toNs(1) } }], 1, 3);
  const window = { startNs: toNs(2), endNs: toNs(3) };
  const { exported_window, profiling_start_ns, endpoint_info } = toSummary({
    ...run,
    period: window,
    runPeriod: run.period,
  });
  expect(profiling_start_ns).toBe(window.startNs);
  expect(exported_window).toEqual({ run_profiling_start_ns: toNs(1), run_profiling_end_ns: toNs(3) });
  expect(endpoint_info[A]).not.toHaveProperty('baseline_ns');
});

test('keeps the summary that an export recorded, apart from the window', () => {
  const run = createRunRecord([endpoint], 1, 3);
  const summary = { ...toSummary(run), start_time: '2020-01-01T00:00:00Z' };
  expect(toSummary({ ...run, summary, period: { startNs: 5n, endNs: 6n } })).toEqual({
    ...summary,
    profiling_start_ns: 5n,
    profiling_end_ns: 6n,
  });
});

describe('the distance of boundary samples', () => {
  test('is measured from the barrier samples', () => {
    const boundaries = { baseline_ns: toNs(1.25), closing_ns: toNs(4) };
    expect(summarize({ boundaries })).toMatchObject({
      ...boundaries,
      start_slack_ms: 250,
      end_slack_ms: 1000,
    });
  });

  test('is measured from the nearest samples outside the period if the barrier has none', () => {
    expect(summarize({})).toMatchObject({ start_slack_ms: 500, end_slack_ms: 1000 });
  });

  test('is measured from the last sample if none follows the period', () => {
    expect(summarize({}, { period: { startNs: toNs(1.5), endNs: toNs(10) } })).toMatchObject({
      end_slack_ms: 6000,
    });
  });
});

test('omits empty lists, and the number of omitted entries if it is 0', () => {
  expect(summarize({})).not.toHaveProperty('resets');
  const resets = [{ at_ns: 2n, previous_ns: 1n, counters: 1 }];
  const health = { ...HEALTHY, resets, resets_omitted: 3, last_error: 'x', last_error_reason: 'timeout' };
  expect(summarize({ health })).toMatchObject({ resets, resets_omitted: 3, last_error_reason: 'timeout' });
  expect(summarize({ health: { ...health, resets_omitted: 0 } })).not.toHaveProperty('resets_omitted');
});

test('contains the identity and the labels of an endpoint, and when it was added and removed', () => {
  const absences = [{ start_ns: toNs(2), end_ns: toNs(2.2) }];
  const health = { ...HEALTHY, status: 'removed', added_ns: toNs(1.6), removed_ns: toNs(2.5), absences };
  const info = summarize({ identity: 'uid', labels: { pod: 'a' }, health });
  expect(info).toMatchObject({
    status: 'removed',
    identity: 'uid',
    labels: { pod: 'a' },
    added_ns: toNs(1.6),
    removed_ns: toNs(2.5),
    absences,
  });
  expect(info).not.toHaveProperty('start_slack_ms');
  expect(info).not.toHaveProperty('end_slack_ms');
});

test('lists a configured URL once, although several endpoints have it', () => {
  const second = { ...endpoint, url: `${A}#2`, configuredUrl: A };
  const { endpoints_configured, endpoints_successful } = toSummary(createRunRecord([endpoint, second], 1, 3));
  expect(endpoints_configured).toEqual([A]);
  expect(endpoints_successful).toEqual([A, `${A}#2`]);
});
