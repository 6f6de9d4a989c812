import {
  type HistogramSamples,
  histogramWindow,
  type ScalarSamples,
  scalarWindow,
  type Window,
} from '@org/core';
import type { SeriesChunk } from '@org/formats/parquet';
import type { RunRecord } from '../run.ts';
import { edgesIn, periodOf } from './document.ts';
import { metricsOf, type PlacedMetric, type PlacedSeries } from './metrics.ts';

/**
 * The rows of the Parquet export, a series at a time in order of metric names: raw values of gauges, cumulative deltas from
 * the reference of counters and histograms, negative ones clamped to 0 (seed 000, "Delta Calculations").
 */
export function* seriesChunks(record: RunRecord): Generator<SeriesChunk> {
  for (const metric of metricsOf(record)) {
    if (metric.type === 'summary') continue;
    for (const placed of metric.series) {
      const chunk = chunkOf(metric, placed, record);
      if (chunk) yield chunk;
    }
  }
}

function chunkOf(metric: PlacedMetric, placed: PlacedSeries, record: RunRecord): SeriesChunk | undefined {
  const { endpoint, series } = placed;
  const { store } = endpoint;
  const timeline = store.timeline();
  const period = periodOf(timeline, record.period, edgesIn(record, endpoint));
  const common = {
    endpointUrl: endpoint.url,
    metricName: metric.name,
    metricType: metric.type as SeriesChunk['metricType'],
    unit: metric.unit,
    description: metric.description,
    labels: series.labels,
  };
  if (series.kind === 'scalar') {
    const window = scalarWindow(store, series, period);
    return window
      ? { ...common, ...scalarColumns(window, metric.type === 'counter', timeline.originNs) }
      : undefined;
  }
  if (series.kind !== 'histogram') return undefined;
  const window = histogramWindow(store, series, period);
  return window && window.samples.bounds.length > 0
    ? { ...common, ...histogramColumns(window, timeline.originNs) }
    : undefined;
}

function scalarColumns(
  window: Window<ScalarSamples>,
  delta: boolean,
  originNs: bigint,
): Pick<SeriesChunk, 'timestampsNs' | 'values'> {
  const { timesNs, values } = window.samples;
  return {
    timestampsNs: timestamps(window, timesNs, originNs),
    values: delta ? deltas(window, values) : rows(window, values),
  };
}

function histogramColumns(
  window: Window<HistogramSamples>,
  originNs: bigint,
): Pick<SeriesChunk, 'timestampsNs' | 'histogram'> {
  const { timesNs, sums, counts, bounds, cumulative } = window.samples;
  return {
    timestampsNs: timestamps(window, timesNs, originNs),
    histogram: {
      sums: deltas(window, sums),
      counts: deltas(window, counts),
      bounds: bounds.map(({ text }) => text),
      bucketCounts: cumulative.map(column => deltas(window, column)),
    },
  };
}

/** Row 0 is the reference when there is one; it lies before the period and is no row of the export. */
function rows(window: Window<unknown>, column: Float64Array): Float64Array {
  return window.hasReference ? column.subarray(1) : column;
}

function deltas(window: Window<unknown>, column: Float64Array): Float64Array {
  const reference = column[0]!;
  return rows(window, column).map(value => Math.max(0, value - reference));
}

function timestamps(window: Window<unknown>, timesNs: Float64Array, originNs: bigint): BigInt64Array {
  return BigInt64Array.from(rows(window, timesNs), time => originNs + BigInt(time));
}
