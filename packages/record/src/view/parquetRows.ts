import {
  computeIncreases,
  listCounterResets,
  listHistogramResets,
  readHistogramWindow,
  readScalarWindow,
  type SeriesHistory,
  type Window,
} from '@org/core';
import type { SeriesChunk } from '@org/formats/parquet';
import type { EndpointRecord } from '../runRecord.ts';
import { type ExportView, listExportedMetrics, type ViewMetric, type ViewSeries } from './exportView.ts';
import type { ReferenceCollector } from './parquetMetadata.ts';
import { toTimestampsNs } from './timestamps.ts';

/**
 * Yields the rows of the Parquet export, one series at a time, sorted by metric name. Gauges are exported as
 * raw values, counters and histograms as their increase since the reference sample, across resets. A series that was
 * created in the run counts from 0. `targetColumns` are the columns of the labels of targets, by label. See docs/decisions/0001-cumulative-buckets.md
 */
export function* generateParquetSeries(
  view: ExportView,
  references?: ReferenceCollector,
  targetColumns: ReadonlyMap<string, string> = new Map(),
): Generator<SeriesChunk> {
  for (const metric of listExportedMetrics(view)) {
    for (const entry of metric.series) {
      const chunk = toChunk(metric, entry, references);
      if (chunk) yield addTargetLabels(chunk, entry.endpoint.record, targetColumns);
    }
  }
}

/** Merges the labels of the target into the labels of the series, under the names of their columns. */
function addTargetLabels(
  chunk: SeriesChunk,
  { labels = {} }: EndpointRecord,
  columns: ReadonlyMap<string, string>,
): SeriesChunk {
  const added = [...columns].flatMap(([label, column]) =>
    Object.hasOwn(labels, label) ? [[column, labels[label]!] as const] : [],
  );
  return added.length === 0 ? chunk : { ...chunk, labels: [...chunk.labels, ...added] };
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
  const history = endpoint.histories.get(series);
  if (series.kind === 'scalar') {
    const window = readScalarWindow(store, series, endpoint.period);
    if (!window) return undefined;
    const { timesNs, values } = window.samples;
    const timestampsNs = toTimestamps(window, timesNs, originNs);
    if (metric.type !== 'counter') {
      references?.add(url, toReferenceNs(window, originNs), false);
      return { ...identity, timestampsNs, values: dropReference(window, values) };
    }
    const resets = listCounterResets(window.samples, history);
    const [increases] = toIncreases(window, [values], { resets, history, originNs, url, references });
    return { ...identity, timestampsNs, values: increases! };
  }
  if (series.kind !== 'histogram') return undefined;
  const window = readHistogramWindow(store, series, endpoint.period);
  if (!window || window.samples.bounds.length === 0) return undefined;
  const { timesNs, sums, counts, bounds, cumulative } = window.samples;
  const resets = listHistogramResets(window.samples, history);
  const columns = [sums, counts, ...cumulative];
  // With negative bounds, observations can be negative, and their sum can fall.
  const canSumFall = bounds.some(({ le }) => le < 0);
  const context = { resets, history, originNs, url, references, canSumFall };
  const [sumIncreases, countIncreases, ...bucketCounts] = toIncreases(window, columns, context);
  return {
    ...identity,
    timestampsNs: toTimestamps(window, timesNs, originNs),
    histogram: {
      sums: sums.every(Number.isNaN) ? null : sumIncreases!,
      counts: countIncreases!,
      bounds: bounds.map(({ text }) => text),
      bucketCounts,
    },
  };
}

interface IncreaseContext {
  /** Rows of the window that follow a reset. */
  readonly resets: readonly number[];
  readonly history: SeriesHistory;
  readonly originNs: bigint;
  readonly url: string;
  readonly references: ReferenceCollector | undefined;
  /** Whether the first column is the sum of a histogram that can fall. */
  readonly canSumFall?: boolean;
}

/** Converts the columns of a series to increases since the start of the period, and records how to restore them. */
function toIncreases(
  window: SamplesWindow,
  columns: readonly Float64Array[],
  { resets, history, originNs, url, references, canSumFall = false }: IncreaseContext,
): Float64Array[] {
  const increases = columns.map((column, at) =>
    computeIncreases(column, resets, history, canSumFall && at === 0),
  );
  const base = increases.map(increase => increase.base);
  const offsets = resets.map((row, at) => {
    const ns = originNs + BigInt(window.samples.timesNs[row]!);
    return [ns, increases.map(increase => increase.offsets[at]!)] as const;
  });
  // The counter, or the count of a histogram; sums may fall.
  const counts = columns.length === 1 ? columns[0]! : columns[1]!;
  const isClamped = resets.length === 0 && counts.some(value => value < counts[0]!);
  references?.add(url, toReferenceNs(window, originNs), isClamped, {
    isCreated: history.absentNs !== undefined,
    reset: resets.length > 0 ? { base, offsets } : undefined,
  });
  return increases.map(({ values }) => dropReference(window, values));
}

type SamplesWindow = Window<{ readonly timesNs: Float64Array }>;

/** Returns the time of the reference sample of a series; null if it has none. */
function toReferenceNs({ samples, hasReference }: SamplesWindow, originNs: bigint): bigint | null {
  return hasReference ? originNs + BigInt(samples.timesNs[0]!) : null;
}

/** Returns a column without the reference sample, which is in row 0 and is not exported. */
function dropReference(window: Window<unknown>, column: Float64Array): Float64Array {
  return window.hasReference ? column.subarray(1) : column;
}

function toTimestamps(window: Window<unknown>, timesNs: Float64Array, originNs: bigint): BigInt64Array {
  return toTimestampsNs(dropReference(window, timesNs), originNs);
}
