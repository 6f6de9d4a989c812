import { expect, it } from 'vitest';
import { checkMetric, checkServerMetrics } from '../../src/rules/serverMetrics.ts';
import { collectFindings } from '../support/report.ts';

const URL = 'http://a/metrics';
const START = 1_772_000_000_000_000_000n;
const createDocument = (metrics: object) => ({
  summary: {
    endpoints_successful: [URL],
    endpoint_info: {
      [URL]: { total_fetches: 2, first_fetch_ns: START, last_fetch_ns: START + 12_000_000_000n },
    },
    profiling_start_ns: START,
    profiling_end_ns: START + 10_000_000_000n,
  },
  metrics,
});
const createMetrics = (type: string, stats: object, rest: object = {}) => ({
  m: { type, series: [{ endpoint_url: URL, stats, ...rest }] },
});
const createSlice = (startSeconds: number, endSeconds: number) => ({
  timeslices: [
    {
      start_ns: START + BigInt(startSeconds) * 1_000_000_000n,
      end_ns: START + BigInt(endSeconds) * 1_000_000_000n,
    },
  ],
});

it.each([
  ['accepts a gauge', createMetrics('gauge', { avg: 1, min: 1, max: 1, std: 0 }), []],
  [
    'checks a gauge',
    createMetrics('gauge', { avg: 5, min: 1, max: 1, std: 0 }),
    ['gauge-average .metrics.m.series[0].stats.avg'],
  ],
  [
    'checks a metric of unknown type like a gauge',
    createMetrics('unknown', { avg: 5, min: 1, max: 1, std: 0 }),
    ['gauge-average .metrics.m.series[0].stats.avg'],
  ],
  [
    'checks a counter against the scrape duration of its endpoint',
    createMetrics('counter', { total: 100, rate: 1 }),
    ['rate-duration .metrics.m.series[0].stats.rate'],
  ],
  [
    'checks a histogram',
    createMetrics('histogram', { count: 0, sum: 1 }),
    ['histogram-empty .metrics.m.series[0].stats.sum'],
  ],
  [
    'accepts slices until the last scrape, which is after the period',
    createMetrics('gauge', {}, createSlice(10, 12)),
    [],
  ],
  [
    'reports slices after the last scrape',
    createMetrics('gauge', {}, createSlice(12, 14)),
    ['slices-period .metrics.m.series[0].timeslices[0].end_ns'],
  ],
  [
    'reports a series of an unlisted endpoint',
    { m: { type: 'gauge', series: [{ endpoint_url: 'http://b/metrics', stats: {} }] } },
    ['endpoint-unlisted .metrics.m.series[0].endpoint_url'],
  ],
])('%s', (_, metrics, expected) => {
  const findings = collectFindings(report => checkServerMetrics(report, createDocument(metrics)));
  expect(findings.map(finding => finding.slice(0, finding.indexOf(':')))).toEqual(expected);
});

it('checkMetric does not need endpoints or times, which a CSV does not have', () => {
  const period = { startNs: undefined, endNs: undefined };
  const { m } = createMetrics('counter', { total: 100, rate: 0.001 });
  expect(collectFindings(report => checkMetric(report, [], m, undefined, period))).toEqual([]);
});
