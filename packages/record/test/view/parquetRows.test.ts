import { estimatePolynomialPercentiles } from '@org/core';
import { expect, test } from 'vitest';
import { createExportView } from '../../src/view/exportView.ts';
import { generateParquetSeries } from '../../src/view/parquetRows.ts';
import { createServerMetricsDocument } from '../../src/view/serverMetrics.ts';
import { coldRun } from '../support/coldRun.ts';
import { endpoint, mixedRun as run } from '../support/mixedRun.ts';
import { createEndpointRecord, createRunRecord, T0 } from '../support/runRecord.ts';

test('yields increases since the reference sample within the period, across a reset', () => {
  const chunks = [...generateParquetSeries(createExportView(run))];
  const findChunk = (name: string) =>
    chunks.find(series => series.metricName === name && series.endpointUrl === 'http://a:1/metrics')!;
  expect(Array.from(findChunk('c').timestampsNs, ns => ns - T0)).toEqual([
    1_000_000_000n,
    2_000_000_000n,
    3_000_000_000n,
    4_000_000_000n,
  ]);
  // The reference sample, at second 0, is 5. The counter is reset to 1 before the last sample.
  expect(Array.from(findChunk('c').values!)).toEqual([2, 2, 4, 5]);
  expect(Array.from(findChunk('g').values!)).toEqual([2, 2, 4, 8]);
  expect(findChunk('h').histogram).toMatchObject({ bounds: ['1', '+Inf'] });
  expect(Array.from(findChunk('h').histogram!.bucketCounts[1]!)).toEqual([1, 1, 5, 5]);
  expect(chunks.map(({ metricName }) => metricName)).toEqual(['c', 'g', 'g', 'h', 'x_info']);
});

test('the last row contains the increase of series that were reset or created in the run', () => {
  const view = createExportView(coldRun);
  const { metrics } = createServerMetricsDocument(view, { estimator: estimatePolynomialPercentiles });
  for (const { metricName, metricType, values, histogram } of generateParquetSeries(view)) {
    const { stats } = metrics[metricName]!.series[0]!;
    if (metricType === 'counter') expect(stats).toMatchObject({ increase: values!.at(-1) });
    if (metricType === 'histogram')
      expect(stats).toMatchObject({
        increase: { count: histogram!.counts.at(-1), sum: histogram!.sums!.at(-1) },
      });
  }
});

test('a sum of negative observations is negative', () => {
  const createDelta = (sum: number, count: number) => ({
    sum,
    count,
    buckets: { '-1': count, '+Inf': count },
  });
  const server = createEndpointRecord('http://a:1/metrics', { delta: 'histogram' }, [
    [0, { delta: createDelta(-4, 2) }],
    [1, { delta: createDelta(-6, 3) }],
    [2, { delta: createDelta(-11.5, 5) }],
  ]);
  const [chunk] = generateParquetSeries(createExportView(createRunRecord([server], 1, 2)));
  expect(Array.from(chunk!.histogram!.sums!)).toEqual([-2, -7.5]);
});

test('the last row contains the same totals as the JSON export', () => {
  const steady = createRunRecord([endpoint], 1, 2);
  const { metrics } = createServerMetricsDocument(createExportView(steady), {
    estimator: estimatePolynomialPercentiles,
  });
  const chunks = [...generateParquetSeries(createExportView(steady))];
  const c = chunks.find(({ metricName }) => metricName === 'c')!;
  expect(metrics.c!.series[0]!.stats).toMatchObject({ total: c.values!.at(-1) });
  const histogram = chunks.find(({ metricName }) => metricName === 'h')!.histogram!;
  expect(metrics.h!.series[0]!.stats).toMatchObject({
    sum: histogram.sums!.at(-1),
    count: histogram.counts.at(-1),
  });
});
