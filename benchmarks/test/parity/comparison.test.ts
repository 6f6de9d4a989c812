import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { compareExpectation } from '../../src/parity/comparison.ts';
import type { Deviation, Expectation, ExpectedSeries } from '../../src/parity/expectation.ts';
import { readTrace, type Trace } from '../../src/parity/trace.ts';

const URL = 'http://a:1/metrics';
const START_NS = 1_800_000_000_000_000_000n;

const folder = mkdtempSync(join(tmpdir(), 'parity-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Creates a trace of a counter with the values `totals` and a constant gauge, scraped once per second. */
function createTrace(totals: readonly number[]): Trace {
  const lines = totals.map((total, second) =>
    JSON.stringify({
      endpoint_url: URL,
      timestamp_ns: formatTime(second),
      latency_ns: 1e6,
      body: `# TYPE requests_total counter\nrequests_total ${total}\n# TYPE depth gauge\ndepth 7\n`,
    }),
  );
  writeFileSync(join(folder, 'trace.jsonl'), `${lines.join('\n')}\n`);
  return readTrace(folder, 'trace.jsonl');
}

function formatTime(second: number): string {
  return String(START_NS + BigInt(second * 1e9));
}

const COUNTER: ExpectedSeries = {
  endpoint_url: URL,
  metric: 'requests',
  type: 'counter',
  unit: null,
  labels: null,
  stats: { total: 40, rate: 10 },
  buckets: null,
  timeslices: null,
};

const percentiles = ['p1', 'p5', 'p10', 'p25', 'p50', 'p75', 'p90', 'p95', 'p99'].map(name => [name, 7]);
const GAUGE: ExpectedSeries = {
  ...COUNTER,
  metric: 'depth',
  type: 'gauge',
  stats: { avg: 7, min: 7, max: 7, std: 0, ...Object.fromEntries(percentiles) },
};

function createExpectation(series: readonly ExpectedSeries[]): Expectation {
  return {
    trace: 'trace.jsonl',
    period: { start_ns: formatTime(1), end_ns: formatTime(4) },
    slice_duration: null,
    endpoints: {
      [URL]: {
        total_fetches: 5,
        first_fetch_ns: formatTime(0),
        last_fetch_ns: formatTime(4),
        avg_fetch_latency_ms: 1,
        unique_updates: 5,
        first_update_ns: formatTime(0),
        last_update_ns: formatTime(4),
        duration_seconds: 4,
        avg_update_interval_ms: 1000,
        median_update_interval_ms: 1000,
        effective_end_ns: formatTime(4),
      },
    },
    series,
  };
}

const TOTALS = [0, 10, 20, 30, 40];
const RESET_TOTALS = [10, 20, 5, 10, 15];

test('reports no differences if all statistics are equal', () => {
  expect(compareExpectation(createExpectation([COUNTER, GAUGE]), createTrace(TOTALS))).toEqual([]);
});

test('reports different statistics and units', () => {
  const expected = { ...COUNTER, unit: 'requests', stats: { total: 41, rate: 10 } };
  expect(compareExpectation(createExpectation([expected, GAUGE]), createTrace(TOTALS))).toEqual([
    `${URL} counter requests{}: unit is null, expected requests`,
    `${URL} counter requests{}: stats.total is 40, expected 41`,
  ]);
});

test('reports different endpoint information', () => {
  const expectation = createExpectation([COUNTER, GAUGE]);
  const endpoints = { [URL]: { ...expectation.endpoints[URL]!, total_fetches: 6 } };
  expect(compareExpectation({ ...expectation, endpoints }, createTrace(TOTALS))).toEqual([
    `${URL}: endpoint_info.total_fetches is 5, expected 6`,
  ]);
});

test('reports series that are missing from the snapshot or from the computed statistics', () => {
  const other = { ...COUNTER, metric: 'other' };
  expect(compareExpectation(createExpectation([COUNTER, other]), createTrace(TOTALS))).toEqual([
    `${URL} counter other{}: is missing from the computed statistics`,
    `${URL} gauge depth{}: is missing from the snapshot`,
  ]);
});

test('reports an unexpected number of timeslices', () => {
  const timeslices = [{ start_ns: formatTime(1), end_ns: formatTime(4), total: 40, rate: 10 }];
  expect(
    compareExpectation(createExpectation([{ ...COUNTER, timeslices }, GAUGE]), createTrace(TOTALS)),
  ).toEqual([`${URL} counter requests{}: timeslices is 0, expected 1`]);
});

describe('deviations', () => {
  const compareWith = (deviation: Deviation, totals: readonly number[] = TOTALS): string[] =>
    compareExpectation(
      createExpectation([{ ...COUNTER, deviations: [deviation] }, GAUGE]),
      createTrace(totals),
    );

  test('absent: reports a series if statistics are computed for it', () => {
    expect(compareWith({ rule: 'absent', fields: ['*'] })).toEqual([
      `${URL} counter requests{}: is exported although it has no sample in the period`,
    ]);
  });

  test('nan: compares the statistics with `decided` instead of the snapshot', () => {
    const createDeviation = (total: number): Deviation => ({
      rule: 'nan',
      fields: ['stats'],
      decided: { stats: { total, rate: 10 } },
    });
    expect(compareWith(createDeviation(40))).toEqual([]);
    expect(compareWith(createDeviation(39))).toEqual([
      `${URL} counter requests{}: stats.total is 40, expected 39`,
    ]);
  });

  test('reset: compares the number of resets and the increase', () => {
    const fields = ['stats.total', 'stats.rate'];
    // The increases are 10, 5 (from 0 after the reset), 5 and 5.
    expect(compareWith({ rule: 'reset', fields, resets: 1, increase: 25 }, RESET_TOTALS)).toEqual([]);
    expect(compareWith({ rule: 'reset', fields, resets: 2, increase: 26 }, RESET_TOTALS)).toEqual([
      `${URL} counter requests{}: stats.resets is 1, expected 2`,
      `${URL} counter requests{}: stats.increase is 25, expected 26`,
    ]);
  });
});
