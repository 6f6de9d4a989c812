import {
  effectivePeriod,
  endpointInfo,
  type HistogramResult,
  type PercentileBounds,
  type PercentileEstimator,
  type Period,
  type SeriesStatistics,
  type SummaryResult,
  seriesStatistics,
  type Timeline,
  updateIntervalNs,
} from '@org/core';
import type { EndpointInfo, Metric, ServerMetricsDocument } from '@org/formats';
import type { EndpointRecord, RunRecord } from '../run.ts';
import { metricsOf, type PlacedMetric, type PlacedSeries } from './metrics.ts';

export interface DocumentOptions {
  /** Length of a timeslice in seconds; none without it. */
  readonly sliceSeconds?: number;
  readonly estimator: PercentileEstimator;
}

type Windowed = Exclude<SeriesStatistics, SummaryResult>;

/** The aggregated statistics of a run: server_metrics_export.json, schema 1.0 (seeds 001 and 002). */
export function serverMetricsDocument(record: RunRecord, options: DocumentOptions): ServerMetricsDocument {
  const entries = metricsOf(record)
    .filter(metric => metric.type !== 'summary')
    .map(metric => [metric.name, metricEntry(metric, record, options)] as const)
    .filter(([, metric]) => metric.series.length > 0);
  return {
    schema_version: '1.0',
    aiperf_version: record.version,
    benchmark_id: record.benchmarkId,
    summary: summaryOf(record),
    metrics: Object.fromEntries(entries),
    input_config: record.inputConfig,
  };
}

function summaryOf(record: RunRecord): ServerMetricsDocument['summary'] {
  const { endpoints } = record;
  return {
    endpoints_configured: endpoints.map(endpoint => endpoint.configuredUrl),
    endpoints_successful: endpoints.filter(hasFrames).map(endpoint => endpoint.url),
    start_time: utcTime(record.startNs),
    end_time: utcTime(record.endNs),
    profiling_start_ns: record.period.startNs,
    profiling_end_ns: record.period.endNs,
    was_cancelled: record.cancelled,
    endpoint_info: Object.fromEntries(endpoints.map(endpoint => [endpoint.url, infoOf(endpoint)])),
  };
}

function hasFrames(endpoint: EndpointRecord): boolean {
  return endpoint.store.frameCount > 0;
}

function infoOf(endpoint: EndpointRecord): EndpointInfo {
  const info = endpointInfo(endpoint.store);
  const { health, configuredUrl, url } = endpoint;
  return {
    ...(info ?? { total_fetches: 0, unique_updates: 0 }),
    ...(configuredUrl === url ? {} : { configured_url: configuredUrl }),
    status: health.status,
    last_error: health.last_error,
    scrapes_failed: health.scrapes_failed,
    scrapes_late: health.scrapes_late,
    samples_dropped: health.samples_dropped,
    lines_dropped: health.lines_dropped,
    bytes_received: health.bytes,
    outages: health.outages,
    ...(health.outages_omitted > 0 ? { outages_omitted: health.outages_omitted } : {}),
  };
}

/** ns since 1970 as `2026-11-21T08:15:30.123456Z`, to the microsecond as AIPerf has it. */
export function utcTime(ns: bigint): string {
  const micros = ((ns / 1000n) % 1_000_000n).toString().padStart(6, '0');
  return new Date(Number(ns / 1_000_000n)).toISOString().replace(/\.\d+Z$/, `.${micros}Z`);
}

function metricEntry(metric: PlacedMetric, record: RunRecord, options: DocumentOptions): Metric {
  const series = metric.series.flatMap(placed => {
    const statistics = statisticsOf(placed, record, options);
    return statistics && statistics.type !== 'summary' ? [seriesEntry(placed, statistics)] : [];
  });
  const { type, description, unit } = metric;
  return { type, description, ...(unit === null ? {} : { unit }), series } as Metric;
}

function statisticsOf(
  placed: PlacedSeries,
  record: RunRecord,
  options: DocumentOptions,
): SeriesStatistics | null {
  const { store } = placed.endpoint;
  const { sliceSeconds, estimator } = options;
  return seriesStatistics(store, placed.series, {
    period: periodOf(store.timeline(), record.period),
    estimator,
    ...(sliceSeconds === undefined ? {} : { sliceNs: Math.round(sliceSeconds * 1e9) }),
    shortestPartialNs: updateIntervalNs(store) ?? 0,
  });
}

/** The period on an endpoint's own timeline, closed by the final scrape that follows its end. */
export function periodOf(timeline: Timeline, { startNs, endNs }: RunRecord['period']): Period {
  return effectivePeriod(timeline, {
    startNs: Number(startNs - timeline.originNs),
    endNs: Number(endNs - timeline.originNs),
  });
}

function seriesEntry({ endpoint, series }: PlacedSeries, statistics: Windowed): Metric['series'][number] {
  const { originNs } = endpoint.store.timeline();
  const { labels } = series;
  return {
    endpoint_url: endpoint.url,
    ...(labels.length === 0 ? {} : { labels: Object.fromEntries(labels) }),
    stats: statsOf(statistics),
    ...(statistics.type === 'histogram' ? histogramFields(statistics) : {}),
    ...(statistics.timeslices
      ? { timeslices: statistics.timeslices.map(slice => sliceOf(slice, originNs)) }
      : {}),
  } as Metric['series'][number];
}

function histogramFields({ buckets, percentileBounds, percentileDoubts }: HistogramResult): object {
  return {
    buckets: bucketsOf(buckets),
    ...(percentileBounds ? { percentile_bounds: boundsOf(percentileBounds) } : {}),
    ...(percentileDoubts ? { percentile_doubts: percentileDoubts } : {}),
  };
}

/** JSON has no infinity: an open end is null. */
function boundsOf(bounds: PercentileBounds): object {
  const open = (end: number): number | null => (Number.isFinite(end) ? end : null);
  return Object.fromEntries(
    Object.entries(bounds).map(([name, [low, high]]) => [name, [open(low), open(high)]]),
  );
}

function statsOf(statistics: Windowed): unknown {
  if (statistics.type !== 'histogram' || !statistics.stats.increase) return statistics.stats;
  const { increase } = statistics.stats;
  return { ...statistics.stats, increase: { ...increase, buckets: bucketsOf(increase.buckets) } };
}

type Slice = NonNullable<Windowed['timeslices']>[number];

function sliceOf({ startNs, endNs, ...rest }: Slice, originNs: bigint): unknown {
  return {
    start_ns: originNs + BigInt(Math.round(startNs)),
    end_ns: originNs + BigInt(Math.round(endNs)),
    ...rest,
    ...('buckets' in rest ? { buckets: bucketsOf(rest.buckets) } : {}),
  };
}

function bucketsOf(counts: readonly (readonly [string, number])[] | null): Record<string, number> | null {
  return counts && Object.fromEntries(counts);
}
