import { expect, test } from 'vitest';
import {
  createGauge,
  createHistogram,
  createMetric,
  URL_B,
} from '../../../../packages/analysis/test/documents.ts';
import { buildPercentileCharts } from '../../src/report/percentileCharts.ts';
import { createMetricRun } from '../support/reportedRuns.ts';

const NAME = 'vllm:e2e_request_latency_seconds';

function createLatencyHistogram(count: number, options: object = {}): object {
  const extraFields = { percentile_bounds: { p50: [1, 2], p99: [2, null] } };
  return createHistogram(count, 2, {
    stats: { p50_estimate: 1.5, p99_estimate: 4 },
    extraFields,
    ...options,
  });
}

test('contains estimates and bounds; an infinite bound is null', () => {
  const [chart, ...others] = buildPercentileCharts(
    createMetricRun({
      [NAME]: createMetric('histogram', [createLatencyHistogram(10)], 'seconds'),
      'vllm:num_requests_running': createMetric('gauge', [createGauge(1)]),
    }),
  );
  expect(others).toEqual([]);
  expect(chart).toMatchObject({ name: NAME, meaning: 'end-to-end latency', unit: 'seconds' });
  const [line] = chart!.series;
  const getValue = (values: readonly (number | null)[], percent: number): number | null =>
    values[chart!.percents.indexOf(percent)]!;
  expect([getValue(line!.values, 50), getValue(line!.values, 99)]).toEqual([1.5, 4]);
  expect([getValue(line!.low, 50), getValue(line!.high, 50)]).toEqual([1, 2]);
  expect([getValue(line!.low, 99), getValue(line!.high, 99)]).toEqual([2, null]);
});

test('shows the eight series with the most observations', () => {
  const series = Array.from({ length: 10 }, (_, i) =>
    createLatencyHistogram(i + 1, { labels: { rank: String(i) } }),
  );
  const [chart] = buildPercentileCharts(createMetricRun({ [NAME]: createMetric('histogram', series) }));
  expect(chart!.series.map(({ name }) => name)).toEqual([9, 8, 7, 6, 5, 4, 3, 2].map(rank => `rank=${rank}`));
});

test.each<[string, object[], string[]]>([
  [
    'the endpoint of a single series',
    [createLatencyHistogram(1, { labels: { model: 'x' } })],
    ['localhost:8000'],
  ],
  [
    'the endpoint and differing labels',
    [
      createLatencyHistogram(2, { labels: { model: 'x', rank: '0' } }),
      createLatencyHistogram(1, { labels: { model: 'x', rank: '1' }, url: URL_B }),
    ],
    ['localhost:8000 rank=0', 'down:1 rank=1'],
  ],
])('names series by %s', (_, series, expected) => {
  const [chart] = buildPercentileCharts(createMetricRun({ [NAME]: createMetric('histogram', series) }));
  expect(chart!.series.map(({ name }) => name)).toEqual(expected);
});
