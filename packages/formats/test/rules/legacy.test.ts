import { expect, it } from 'vitest';
import { checkLegacy } from '../../src/rules/legacy.ts';
import { collectFindings } from '../support/report.ts';

function check(type: string, series: object): string[] {
  const document = {
    summary: { endpoints_successful: ['localhost:8000'] },
    metrics: { m: { type, series: [{ endpoint: 'localhost:8000', ...series }] } },
  };
  return collectFindings(report => checkLegacy(report, document));
}

it.each([
  ['a gauge that varied', 'gauge', { avg: 2, min: 1, max: 3, std: 1, p50: 2, estimated_percentiles: false }],
  ['a constant gauge', 'gauge', { observation_count: 1, avg: 2 }],
  ['a counter', 'counter', { delta: 10, rate_per_second: 2, rate_min: 1, rate_avg: 2, rate_max: 3 }],
  [
    'a histogram',
    'histogram',
    {
      delta: 4,
      observation_count: 2,
      avg: 2,
      p50: 1,
      buckets: { '2': 2, '+Inf': 2 },
      estimated_percentiles: true,
    },
  ],
  ['a summary', 'summary', { delta: 4, observation_count: 2, avg: 2, quantiles: { '0.5': 1, '0.99': 3 } }],
])('accepts %s', (_, type, series) => {
  expect(check(type, series)).toEqual([]);
});

it.each([
  [
    'an unlisted endpoint',
    'gauge',
    { endpoint: 'other:8000', avg: 1 },
    'endpoint-unlisted .metrics.m.series[0].endpoint: is other:8000, which is not in endpoints_successful',
  ],
  [
    'estimated percentiles for a gauge',
    'gauge',
    { avg: 1, estimated_percentiles: true },
    'legacy-percentiles .metrics.m.series[0].estimated_percentiles: is true; percentiles are estimated for histograms only',
  ],
  [
    'a count for a gauge that varied',
    'gauge',
    { observation_count: 1, avg: 2, min: 1, max: 3 },
    'legacy-constant .metrics.m.series[0].observation_count: must be absent if min and max are set; it marks a gauge that never changed',
  ],
  [
    'quantiles that decrease',
    'summary',
    { quantiles: { '0.99': 1, '0.5': 2 } },
    'summary-quantiles .metrics.m.series[0].quantiles["0.99"]: is 1, less than quantile 0.5 (2); quantiles must not decrease',
  ],
  [
    'an inconsistent mean',
    'histogram',
    { delta: 4, observation_count: 2, avg: 3 },
    'histogram-average .metrics.m.series[0].avg: is 3, but delta / observation_count is 4 / 2 = 2',
  ],
])('reports %s', (_, type, series, expected) => {
  expect(check(type, series)).toEqual([expected]);
});
