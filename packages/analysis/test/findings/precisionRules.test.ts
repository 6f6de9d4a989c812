import { expect, test } from 'vitest';
import { createHistogram, createMetric } from '../documents.ts';
import { findById, findIn, type Metrics } from './runs.ts';

test.each<[string, Metrics, RegExp]>([
  [
    'unbounded-percentile',
    {
      'vllm:e2e_request_latency_seconds': createMetric(
        'histogram',
        [createHistogram(100, 1, { extraFields: { buckets: { '1': 50, '2': 90, '+Inf': 100 } } })],
        'seconds',
      ),
    },
    /p95 3 s \(true value above 2 s\), and 1 more percentile/,
  ],
  [
    'wide-percentile-bounds',
    {
      'vllm:time_to_first_token_seconds': createMetric(
        'histogram',
        [
          createHistogram(100, 1, {
            extraFields: {
              buckets: { '1': 1, '1000': 100, '+Inf': 100 },
              percentile_bounds: { p50: [1, 900] },
            },
          }),
        ],
        'seconds',
      ),
    },
    /time_to_first_token_seconds p50 1 s \(bounds 1 s to 15 min\)/,
  ],
])('reports %s', (id, metrics, text) => {
  const finding = findById(id, metrics);
  expect(finding?.evidence[0]?.text).toMatch(text);
  expect(finding?.advice).not.toBe('');
});

const createLatencies = (extraFields: object): Metrics => ({
  'vllm:e2e_request_latency_seconds': createMetric(
    'histogram',
    [createHistogram(100, 1, { extraFields })],
    'seconds',
  ),
});

test('prefers percentile bounds in the export to the bounds of the bucket', () => {
  const wide = { buckets: { '1': 1, '1000': 100, '+Inf': 100 } };
  const narrow = { p50: [0.9, 1.1], p90: [1.9, 2.1], p95: [2.9, 3.1], p99: [3.8, 4] };
  expect(findById('wide-percentile-bounds', createLatencies(wide))!.evidence[0]!.numbers).toMatchObject({
    lower: 1,
    upper: 1000,
  });
  const withBounds = createLatencies({ ...wide, percentile_bounds: narrow });
  expect(findById('wide-percentile-bounds', withBounds)).toBeUndefined();
});

test.each([
  ['percentile', 90, undefined],
  ['percentile', 95, 95],
])('checks percentiles up to the threshold: %s=%d', (name, value, expectedPercent) => {
  const unboundedLatencies = createLatencies({ buckets: { '1': 50, '2': 92, '+Inf': 100 } });
  const thresholds = { 'unbounded-percentile': { [name]: value } };
  const finding = findIn(unboundedLatencies, undefined, { thresholds }).find(
    ({ id }) => id === 'unbounded-percentile',
  );
  expect(finding?.evidence[0]?.numbers.percent).toBe(expectedPercent);
});
