import {
  computeSeriesStatistics,
  computeUpdateIntervalNs,
  type HistogramResult,
  type PercentileBounds,
  type PercentileEstimator,
  type Series,
  type SeriesStatistics,
  type SummaryResult,
} from '@org/core';
import { AIPERF_VERSION, type Metric, type ServerMetricsDocument } from '@org/formats';
import type { MetricStream, ServerMetricsStream } from '@org/formats/write';
import type { RunRecord } from '../runRecord.ts';
import {
  createExportView,
  type ExportView,
  listExportedMetrics,
  type ViewMetric,
  type ViewSeries,
} from './exportView.ts';
import { listPhases } from './phases.ts';

export interface StatisticsOptions {
  /** Length of a timeslice in seconds. Without it, no timeslices are computed. */
  readonly sliceSeconds?: number;
  readonly estimator: PercentileEstimator;
  /** Called for each series instead of `compute`, and can return an earlier result; undefined for a series without samples. */
  readonly reuse?: (series: Series, compute: () => SeriesEntry | undefined) => SeriesEntry | undefined;
}

type PeriodStatistics = Exclude<SeriesStatistics, SummaryResult>;
/** A series with its statistics, as in the export. */
export type SeriesEntry = Metric['series'][number];

/** A stream whose metrics of the warm-up are also generated while they are written. */
type MetricsStream = Omit<ServerMetricsStream, 'warmup_metrics' | 'derived'> & {
  readonly warmup_metrics?: ServerMetricsStream['metrics'];
};

/**
 * Returns server_metrics_export.json in schema 1.0 as a stream. Each series is computed when it is read, so
 * that only one series is in memory at a time.
 */
export function streamServerMetrics(view: ExportView, options: StatisticsOptions): MetricsStream {
  const { record, summary } = view;
  const warmup = createWarmupView(record);
  return {
    schema_version: '1.0',
    aiperf_version: AIPERF_VERSION,
    ...(record.version === undefined ? {} : { servelens_version: record.version }),
    benchmark_id: record.benchmarkId,
    summary,
    ...(record.runPeriod ? {} : { metrics_phase: 'profiling' as const }),
    metrics: generateMetricStreams(view, options),
    ...(warmup ? { warmup_metrics: generateMetricStreams(warmup, options) } : {}),
    input_config: record.inputConfig,
    ...(record.servelensConfig ? { servelens_config: record.servelensConfig } : {}),
  };
}

/** Returns server_metrics_export.json as a document in memory. */
export function createServerMetricsDocument(
  view: ExportView,
  options: StatisticsOptions,
): ServerMetricsDocument {
  const { metrics, warmup_metrics: warmup, ...header } = streamServerMetrics(view, options);
  return {
    ...header,
    metrics: collectMetrics(metrics),
    ...(warmup ? { warmup_metrics: collectMetrics(warmup) } : {}),
  };
}

function collectMetrics(metrics: ServerMetricsStream['metrics']): Record<string, Metric> {
  const entries: [string, Metric][] = [];
  for (const [name, { series, ...metric }] of metrics)
    entries.push([name, { ...metric, series: [...series] } as Metric]);
  return Object.fromEntries(entries);
}

/** Creates the view of the warm-up; undefined without its samples, or for a time range that the user chose. */
function createWarmupView(record: RunRecord): ExportView | undefined {
  const { warmup } = listPhases(record);
  if (!warmup || record.runPeriod || record.lacksWarmup) return undefined;
  return createExportView({ ...record, period: warmup, runPeriod: record.period });
}

/** Yields the metrics that have at least one series with a sample in the period. */
function* generateMetricStreams(
  view: ExportView,
  options: StatisticsOptions,
): Generator<readonly [string, MetricStream]> {
  for (const metric of listExportedMetrics(view)) {
    const { name, type, description, unit } = metric;
    const series = generateSeriesEntries(metric, options);
    const first = series.next();
    if (first.done) continue;
    const header = { type, description, ...(unit === null ? {} : { unit }) };
    yield [name, { ...header, series: prepend(first.value, series) } as MetricStream];
  }
}

function* generateSeriesEntries({ series }: ViewMetric, options: StatisticsOptions): Generator<SeriesEntry> {
  const { reuse = (_, compute) => compute() } = options;
  for (const entry of series) {
    const result = reuse(entry.series, () => computeEntry(entry, options));
    if (result) yield result;
  }
}

function computeEntry(entry: ViewSeries, options: StatisticsOptions): SeriesEntry | undefined {
  const statistics = computeStatistics(entry, options);
  return statistics && statistics.type !== 'summary' ? toSeriesEntry(entry, statistics) : undefined;
}

/** Yields `first`, then the rest. */
export function* prepend<T>(first: T, rest: Iterable<T>): Generator<T> {
  yield first;
  yield* rest;
}

function computeStatistics(
  { endpoint, series }: ViewSeries,
  { sliceSeconds, estimator }: StatisticsOptions,
): SeriesStatistics | null {
  const { store } = endpoint.record;
  return computeSeriesStatistics(store, series, {
    period: endpoint.period,
    history: endpoint.histories.get(series),
    estimator,
    ...(sliceSeconds === undefined ? {} : { sliceNs: Math.round(sliceSeconds * 1e9) }),
    minPartialNs: computeUpdateIntervalNs(store) ?? 0,
  });
}

function toSeriesEntry({ endpoint, series }: ViewSeries, statistics: PeriodStatistics): SeriesEntry {
  const { url, store } = endpoint.record;
  const { originNs } = store.timeline();
  const { labels } = series;
  return {
    endpoint_url: url,
    ...(labels.length === 0 ? {} : { labels: Object.fromEntries(labels) }),
    stats: toStats(statistics),
    ...(statistics.type === 'histogram' ? toHistogramFields(statistics) : {}),
    ...(statistics.timeslices
      ? { timeslices: statistics.timeslices.map(slice => toTimeslice(slice, originNs)) }
      : {}),
    ...('resetTimeslices' in statistics
      ? { reset_timeslices: statistics.resetTimeslices.map(slice => toTimeslice(slice, originNs)) }
      : {}),
  } as SeriesEntry;
}

function toHistogramFields({ buckets, percentileBounds, percentileWarnings }: HistogramResult): object {
  return {
    buckets: toBuckets(buckets),
    ...(percentileBounds ? { percentile_bounds: toFiniteBounds(percentileBounds) } : {}),
    ...(percentileWarnings ? { percentile_warnings: percentileWarnings } : {}),
  };
}

/** Replaces infinite bounds by null, because JSON cannot represent infinity. */
function toFiniteBounds(bounds: PercentileBounds): object {
  const toEnd = (end: number): number | null => (Number.isFinite(end) ? end : null);
  return Object.fromEntries(
    Object.entries(bounds).map(([name, [low, high]]) => [name, [toEnd(low), toEnd(high)]]),
  );
}

function toStats(statistics: PeriodStatistics): unknown {
  if (statistics.type !== 'histogram' || !statistics.stats.increase) return statistics.stats;
  const { increase } = statistics.stats;
  return { ...statistics.stats, increase: { ...increase, buckets: toBuckets(increase.buckets) } };
}

type Slice = NonNullable<PeriodStatistics['timeslices']>[number];

function toTimeslice({ startNs, endNs, ...rest }: Slice, originNs: bigint): unknown {
  const increase = 'increase' in rest ? rest.increase : undefined;
  return {
    start_ns: originNs + BigInt(Math.round(startNs)),
    end_ns: originNs + BigInt(Math.round(endNs)),
    ...rest,
    ...('buckets' in rest ? { buckets: toBuckets(rest.buckets) } : {}),
    ...(typeof increase === 'object'
      ? { increase: { ...increase, buckets: toBuckets(increase.buckets) } }
      : {}),
  };
}

function toBuckets(counts: readonly (readonly [string, number])[] | null): Record<string, number> | null {
  return counts && Object.fromEntries(counts);
}
