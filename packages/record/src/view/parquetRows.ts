import {
  type HistogramSamples,
  histogramWindow,
  type ScalarSamples,
  scalarWindow,
  type Window,
} from '@org/core';
import type { SeriesChunk } from '@org/formats/parquet';
import type { RunRecord } from '../runRecord.ts';
import { metricsOf, type PlacedMetric, type PlacedSeries } from './metrics.ts';
import type { References } from './runMetadata.ts';
import { edgesIn, periodOf } from './statistics.ts';

/**
 * The rows of the Parquet export, a series at a time in order of metric names: raw values of gauges, cumulative deltas from
 * the reference of counters and histograms, negative ones clamped to 0 (seed 000, "Delta Calculations").
 */
export function* seriesChunks(record: RunRecord, references?: References): Generator<SeriesChunk> {
  for (const metric of metricsOf(record)) {
    if (metric.type === 'summary') continue;
    for (const placed of metric.series) {
      const chunk = chunkOf(metric, placed, record, references);
      if (chunk) yield chunk;
    }
  }
}

function chunkOf(
  metric: PlacedMetric,
  placed: PlacedSeries,
  record: RunRecord,
  references: References | undefined,
): SeriesChunk | undefined {
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
    const isDelta = metric.type === 'counter';
    if (window)
      note(references, endpoint.url, window, timeline.originNs, isDelta ? window.samples.values : undefined);
    return window ? { ...common, ...scalarColumns(window, isDelta, timeline.originNs) } : undefined;
  }
  if (series.kind !== 'histogram') return undefined;
  const window = histogramWindow(store, series, period);
  if (window && window.samples.bounds.length > 0)
    note(references, endpoint.url, window, timeline.originNs, window.samples.counts);
  return window && window.samples.bounds.length > 0
    ? { ...common, ...histogramColumns(window, timeline.originNs) }
    : undefined;
}

/** Notes what a series counts from. A gauge counts from nothing: what the others do holds for it, too. */
function note(
  references: References | undefined,
  url: string,
  { samples, hasReference }: Window<{ readonly timesNs: Float64Array }>,
  originNs: bigint,
  counted: Float64Array | undefined,
): void {
  const referenceNs = hasReference ? originNs + BigInt(samples.timesNs[0]!) : null;
  references?.add(url, referenceNs, counted?.some(value => value < counted[0]!) ?? false);
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
