import {
  type HistogramSamples,
  readHistogramWindow,
  readScalarWindow,
  type ScalarSamples,
  type Window,
} from '@org/core';
import type { SeriesChunk } from '@org/formats/parquet';
import { type ExportView, listExportedMetrics, type ViewMetric, type ViewSeries } from './exportView.ts';
import type { ReferenceCollector } from './parquetMetadata.ts';

/**
 * Yields the rows of the Parquet export, one series at a time, sorted by metric name. Gauges are exported as
 * raw values, counters and histograms as cumulative deltas from their reference sample, with negative deltas
 * clamped to 0. See docs/decisions/0001-cumulative-buckets.md
 */
export function* generateParquetSeries(
  view: ExportView,
  references?: ReferenceCollector,
): Generator<SeriesChunk> {
  for (const metric of listExportedMetrics(view)) {
    for (const entry of metric.series) {
      const chunk = toChunk(metric, entry, references);
      if (chunk) yield chunk;
    }
  }
}

type Identity = Omit<SeriesChunk, 'timestampsNs' | 'values' | 'histogram'>;

function toChunk(
  metric: ViewMetric,
  { endpoint, series }: ViewSeries,
  references: ReferenceCollector | undefined,
): SeriesChunk | undefined {
  const { url, store } = endpoint.record;
  const { originNs } = store.timeline();
  const identity: Identity = {
    endpointUrl: url,
    metricName: metric.name,
    metricType: metric.type as SeriesChunk['metricType'],
    unit: metric.unit,
    description: metric.description,
    labels: series.labels,
  };
  if (series.kind === 'scalar') {
    const window = readScalarWindow(store, series, endpoint.period);
    if (!window) return undefined;
    const isDelta = metric.type === 'counter';
    collectReference(references, url, window, originNs, isDelta ? window.samples.values : undefined);
    return { ...identity, ...toScalarColumns(window, isDelta, originNs) };
  }
  if (series.kind !== 'histogram') return undefined;
  const window = readHistogramWindow(store, series, endpoint.period);
  if (!window || window.samples.bounds.length === 0) return undefined;
  collectReference(references, url, window, originNs, window.samples.counts);
  return { ...identity, ...toHistogramColumns(window, originNs) };
}

/**
 * Adds a series to the references. The series is clamped if any of its `counts` is below the first count;
 * gauges have no `counts`.
 */
function collectReference(
  references: ReferenceCollector | undefined,
  url: string,
  { samples, hasReference }: Window<{ readonly timesNs: Float64Array }>,
  originNs: bigint,
  counts: Float64Array | undefined,
): void {
  const referenceNs = hasReference ? originNs + BigInt(samples.timesNs[0]!) : null;
  references?.add(url, referenceNs, counts?.some(value => value < counts[0]!) ?? false);
}

function toScalarColumns(
  window: Window<ScalarSamples>,
  isDelta: boolean,
  originNs: bigint,
): Pick<SeriesChunk, 'timestampsNs' | 'values'> {
  const { timesNs, values } = window.samples;
  return {
    timestampsNs: toTimestamps(window, timesNs, originNs),
    values: isDelta ? toDeltas(window, values) : dropReference(window, values),
  };
}

function toHistogramColumns(
  window: Window<HistogramSamples>,
  originNs: bigint,
): Pick<SeriesChunk, 'timestampsNs' | 'histogram'> {
  const { timesNs, sums, counts, bounds, cumulative } = window.samples;
  return {
    timestampsNs: toTimestamps(window, timesNs, originNs),
    histogram: {
      sums: toDeltas(window, sums),
      counts: toDeltas(window, counts),
      bounds: bounds.map(({ text }) => text),
      bucketCounts: cumulative.map(column => toDeltas(window, column)),
    },
  };
}

/** Returns a column without the reference sample, which is in row 0 and is not exported. */
function dropReference(window: Window<unknown>, column: Float64Array): Float64Array {
  return window.hasReference ? column.subarray(1) : column;
}

function toDeltas(window: Window<unknown>, column: Float64Array): Float64Array {
  const reference = column[0]!;
  return dropReference(window, column).map(value => Math.max(0, value - reference));
}

function toTimestamps(window: Window<unknown>, timesNs: Float64Array, originNs: bigint): BigInt64Array {
  return BigInt64Array.from(dropReference(window, timesNs), time => originNs + BigInt(time));
}
