import { describe, expect, it } from 'vitest';
import type { LegacyMetric, LegacyServerMetricsDocument } from '../../src/index.ts';
import { convertLegacyServerMetrics } from '../../src/json/convertLegacy.ts';

const ENDPOINT = 'localhost:8000';
const URL = `http://${ENDPOINT}/metrics`;
const ORIGIN = { endpoint: ENDPOINT, endpoint_url: URL };

function convert(metric: object): unknown {
  const document = {
    summary: {
      endpoints_configured: [ENDPOINT, 'other:8000'],
      endpoints_successful: [ENDPOINT],
      start_time: '2025-12-06T08:52:09.880074',
      end_time: '2025-12-06T08:52:30.688461',
      endpoint_info: {
        [ENDPOINT]: {
          endpoint_url: URL,
          duration_seconds: 20,
          scrape_count: 60,
          avg_scrape_latency_ms: 5,
          avg_scrape_period_ms: 333,
        },
      },
    },
    metrics: { m: { description: 'Help', ...metric } as LegacyMetric },
  } satisfies LegacyServerMetricsDocument;
  return convertLegacyServerMetrics(document);
}

it('replaces host and port with the URL of the endpoint, if it is known', () => {
  expect(convert({ type: 'gauge', series: [] })).toMatchObject({
    schema_version: 'legacy',
    summary: {
      endpoints_configured: [URL, 'other:8000'],
      endpoints_successful: [URL],
      endpoint_info: {
        [URL]: {
          total_fetches: 60,
          avg_fetch_latency_ms: 5,
          duration_seconds: 20,
          avg_update_interval_ms: 333,
        },
      },
    },
  });
});

describe('series', () => {
  it.each([
    [
      'a gauge that varied',
      'gauge',
      { avg: 2, min: 1, max: 3, std: 1, p50: 2, p90: 3, p95: 3, p99: 3 },
      { stats: { avg: 2, min: 1, max: 3, std: 1, p50: 2, p90: 3, p95: 3, p99: 3 } },
    ],
    [
      'a constant gauge',
      'gauge',
      { observation_count: 1, avg: 4 },
      { stats: { avg: 4, min: 4, max: 4, std: 0, p1: 4, p50: 4, p99: 4 } },
    ],
    ['a gauge without statistics', 'gauge', {}, { stats: {} }],
    [
      'a counter',
      'counter',
      { delta: 10, rate_per_second: 2, rate_avg: 3 },
      { stats: { total: 10, rate: 2, rate_avg: 3 } },
    ],
    ['a counter without activity', 'counter', { delta: 0 }, { stats: { total: 0, rate: 0 } }],
    [
      'a histogram',
      'histogram',
      {
        observation_count: 2,
        delta: 5,
        avg: 2.5,
        observations_per_second: 1,
        rate_per_second: 2.5,
        p50: 2,
        buckets: { '+Inf': 2 },
      },
      {
        stats: { count: 2, sum: 5, avg: 2.5, count_rate: 1, sum_rate: 2.5, p50_estimate: 2 },
        buckets: { '+Inf': 2 },
      },
    ],
    [
      'a summary',
      'summary',
      { observation_count: 2, delta: 5, quantiles: { '0.5': 2 } },
      { stats: { count: 2, sum: 5 }, quantiles: { '0.5': 2 } },
    ],
  ])('converts %s', (_, type, series, expected) => {
    const view = convert({ type, unit: 's', series: [{ ...ORIGIN, labels: { x: '1' }, ...series }] });
    expect(view).toMatchObject({
      metrics: {
        m: {
          type,
          description: 'Help',
          unit: 's',
          series: [{ endpoint_url: URL, labels: { x: '1' }, ...expected }],
        },
      },
    });
  });
});
