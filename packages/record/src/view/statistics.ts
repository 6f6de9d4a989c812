import {
  effectivePeriod,
  endpointInfo,
  type HistogramResult,
  lowerBound,
  type PercentileBounds,
  type PercentileEstimator,
  type Period,
  type SeriesStatistics,
  type SummaryResult,
  seriesStatistics,
  type Timeline,
  updateIntervalNs,
  upperBound,
} from '@org/core';
import type { EndpointInfo, Metric, ServerMetricsDocument } from '@org/formats';
import type { MetricStream, ServerMetricsStream } from '@org/formats/write';
import type { EdgesRecord, EndpointRecord, RunRecord } from '../runRecord.ts';
import { metricsOf, type PlacedMetric, type PlacedSeries } from './metrics.ts';

export interface DocumentOptions {
  /** Length of a timeslice in seconds; none without it. */
  readonly sliceSeconds?: number;
  readonly estimator: PercentileEstimator;
}

type Windowed = Exclude<SeriesStatistics, SummaryResult>;

type SeriesEntry = Metric['series'][number];

/**
 * The aggregated statistics of a run: server_metrics_export.json, schema 1.0 (seeds 001 and 002). Each series is computed
 * when it is asked for, so that a run of any size needs the memory of one.
 */
export function serverMetricsStream(record: RunRecord, options: DocumentOptions): ServerMetricsStream {
  return {
    schema_version: '1.0',
    aiperf_version: record.version,
    benchmark_id: record.benchmarkId,
    summary: summaryOf(record),
    metrics: metricStreams(record, options),
    input_config: record.inputConfig,
  };
}

/** The same as a whole. */
export function serverMetricsDocument(record: RunRecord, options: DocumentOptions): ServerMetricsDocument {
  const { metrics, ...rest } = serverMetricsStream(record, options);
  const entries: [string, Metric][] = [];
  for (const [name, { series, ...metric }] of metrics)
    entries.push([name, { ...metric, series: [...series] } as Metric]);
  return { ...rest, metrics: Object.fromEntries(entries) };
}

/** How a run was collected. */
export function summaryOf(record: RunRecord): ServerMetricsDocument['summary'] {
  if (record.summary) return { ...record.summary, ...windowOf(record) };
  const { endpoints } = record;
  return {
    endpoints_configured: endpoints.map(endpoint => endpoint.configuredUrl),
    endpoints_successful: endpoints.filter(hasFrames).map(endpoint => endpoint.url),
    start_time: utcTime(record.startNs),
    end_time: utcTime(record.endNs),
    ...windowOf(record),
    was_cancelled: record.cancelled,
    ...(record.marks ? { marks: record.marks } : {}),
    ...(record.settling ? { settling: record.settling } : {}),
    ...(record.scraping ? { scraping: record.scraping } : {}),
    endpoint_info: Object.fromEntries(endpoints.map(endpoint => [endpoint.url, infoOf(endpoint, record)])),
  };
}

type Window = Pick<
  ServerMetricsDocument['summary'],
  'profiling_start_ns' | 'profiling_end_ns' | 'exported_window'
>;

/** The period that is exported, and that of the run where it is another. */
function windowOf({ period, runPeriod }: RunRecord): Window {
  const window = { profiling_start_ns: period.startNs, profiling_end_ns: period.endNs };
  if (!runPeriod) return window;
  const { startNs, endNs } = runPeriod;
  return { ...window, exported_window: { run_profiling_start_ns: startNs, run_profiling_end_ns: endNs } };
}

function hasFrames({ store }: EndpointRecord): boolean {
  return store.frameCount > 0;
}

function infoOf(endpoint: EndpointRecord, record: RunRecord): EndpointInfo {
  const info = endpointInfo(endpoint.store);
  const { health, configuredUrl, url } = endpoint;
  return {
    ...(info ?? { total_fetches: 0, unique_updates: 0 }),
    ...(configuredUrl === url ? {} : { configured_url: configuredUrl }),
    status: health.status,
    last_error: health.last_error,
    ...(health.last_error_reason === undefined ? {} : { last_error_reason: health.last_error_reason }),
    scrapes_failed: health.scrapes_failed,
    ...(health.first_failure_ns === undefined ? {} : { first_failure_ns: health.first_failure_ns }),
    ...(health.last_failure_ns === undefined ? {} : { last_failure_ns: health.last_failure_ns }),
    scrapes_late: health.scrapes_late,
    samples_dropped: health.samples_dropped,
    lines_dropped: health.lines_dropped,
    bytes_received: health.bytes,
    outages: health.outages,
    ...(health.outages_omitted > 0 ? { outages_omitted: health.outages_omitted } : {}),
    ...listed('resets', health.resets, health.resets_omitted),
    ...listed('address_changes', health.address_changes, health.address_changes_omitted),
    ...(record.runPeriod ? {} : slackOf(endpoint, record.period)),
    ...health.cost,
  };
}

/**
 * Where the period of an endpoint begins and ends, and how far that is from where the phase does. An endpoint that was down at an
 * edge has no sample of the barrier there: its slack is that of the sample which stands in for it.
 */
function slackOf(
  { store, edges = {} }: EndpointRecord,
  { startNs, endNs }: RunRecord['period'],
): Partial<EndpointInfo> {
  const { originNs, offsetsNs } = store.timeline();
  const timeNs = (frame: number): bigint => originNs + BigInt(offsetsNs[frame]!);
  if (offsetsNs.length === 0) return edges;
  const first = lowerBound(offsetsNs, Number(startNs - originNs));
  const behind = upperBound(offsetsNs, Number(endNs - originNs));
  return {
    ...edges,
    start_slack_ms: distanceMs(edges.baseline_ns ?? timeNs(Math.max(0, first - 1)), startNs),
    end_slack_ms: distanceMs(edges.closing_ns ?? timeNs(Math.min(behind, offsetsNs.length - 1)), endNs),
  };
}

function distanceMs(a: bigint, b: bigint): number {
  return Math.abs(Number(a - b)) / 1e6;
}

/** A list that is there when it says something, and how many more there were. */
function listed<T>(name: string, list: readonly T[] = [], omitted = 0): Record<string, unknown> {
  if (list.length === 0) return {};
  return { [name]: list, ...(omitted > 0 ? { [`${name}_omitted`]: omitted } : {}) };
}

/** ns since 1970 as `2026-11-21T08:15:30.123456Z`, to the microsecond as AIPerf has it. */
export function utcTime(ns: bigint): string {
  const micros = ((ns / 1000n) % 1_000_000n).toString().padStart(6, '0');
  return new Date(Number(ns / 1_000_000n)).toISOString().replace(/\.\d+Z$/, `.${micros}Z`);
}

/** Metrics that have a series to show. */
function* metricStreams(
  record: RunRecord,
  options: DocumentOptions,
): Generator<readonly [string, MetricStream]> {
  for (const metric of metricsOf(record)) {
    if (metric.type === 'summary') continue;
    const { type, description, unit } = metric;
    const series = seriesEntries(metric, record, options);
    const first = series.next();
    if (first.done) continue;
    const about = { type, description, ...(unit === null ? {} : { unit }) };
    yield [metric.name, { ...about, series: from(first.value, series) } as MetricStream];
  }
}

function* seriesEntries(
  metric: PlacedMetric,
  record: RunRecord,
  options: DocumentOptions,
): Generator<SeriesEntry> {
  for (const placed of metric.series) {
    const statistics = statisticsOf(placed, record, options);
    if (statistics && statistics.type !== 'summary') yield seriesEntry(placed, statistics);
  }
}

function* from<T>(first: T, rest: Iterable<T>): Generator<T> {
  yield first;
  yield* rest;
}

function statisticsOf(
  placed: PlacedSeries,
  record: RunRecord,
  options: DocumentOptions,
): SeriesStatistics | null {
  const { store } = placed.endpoint;
  const { sliceSeconds, estimator } = options;
  return seriesStatistics(store, placed.series, {
    period: periodOf(store.timeline(), record.period, edgesIn(record, placed.endpoint)),
    estimator,
    ...(sliceSeconds === undefined ? {} : { sliceNs: Math.round(sliceSeconds * 1e9) }),
    shortestPartialNs: updateIntervalNs(store) ?? 0,
  });
}

/** The period on an endpoint's own timeline, from its baseline to the scrape that closes it. */
export function periodOf(
  timeline: Timeline,
  { startNs, endNs }: RunRecord['period'],
  { baseline_ns: baselineNs, closing_ns: closingNs }: EdgesRecord = {},
): Period {
  const offset = (ns: bigint): number => Number(ns - timeline.originNs);
  return effectivePeriod(
    timeline,
    { startNs: offset(startNs), endNs: offset(endNs) },
    {
      ...(baselineNs === undefined ? {} : { baselineNs: offset(baselineNs) }),
      ...(closingNs === undefined ? {} : { closingNs: offset(closingNs) }),
    },
  );
}

/** The samples of an endpoint that bound the period that is exported; none of a period that somebody cut out of the run's. */
export function edgesIn({ runPeriod }: RunRecord, { edges }: EndpointRecord): EdgesRecord {
  return runPeriod === undefined ? (edges ?? {}) : {};
}

function seriesEntry({ endpoint, series }: PlacedSeries, statistics: Windowed): SeriesEntry {
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
  } as SeriesEntry;
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
