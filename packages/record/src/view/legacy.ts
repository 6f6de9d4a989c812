import {
  type CounterStatistics,
  changeRates,
  endpointInfo,
  type HistogramResult,
  type ScalarSeries,
  type SeriesStatistics,
  type SummaryResult,
  scalarWindow,
  seriesStatistics,
} from '@org/core';
import type {
  LegacyCounterSeries,
  LegacyEndpointInfo,
  LegacyGaugeSeries,
  LegacyHistogramSeries,
  LegacyServerMetricsDocument,
  LegacySummarySeries,
} from '@org/formats';
import { nameEndpoints } from '@org/formats/read';
import type { LegacyMetricStream, LegacyServerMetricsStream } from '@org/formats/write';
import type { EndpointRecord, RunRecord } from '../runRecord.ts';
import { metricsOf, type PlacedMetric, type PlacedSeries } from './metrics.ts';
import { type DocumentOptions, edgesIn, periodOf, utcTime } from './statistics.ts';

/**
 * The statistics of a run in the flat layout of December 2025 (seed 003), with summaries and the labels of `_info` families.
 * Each series is computed when it is asked for. The layout has neither timeslices nor the fields of resets.
 */
export function legacyServerMetricsStream(
  record: RunRecord,
  { estimator }: Pick<DocumentOptions, 'estimator'>,
): LegacyServerMetricsStream {
  const names = nameEndpoints(record.endpoints.flatMap(({ url, configuredUrl }) => [url, configuredUrl]));
  return {
    summary: summaryOf(record, names),
    metrics: metricStreams(record, estimator, names),
  };
}

type Names = ReadonlyMap<string, string>;
type Estimator = DocumentOptions['estimator'];

function summaryOf(record: RunRecord, names: Names): LegacyServerMetricsDocument['summary'] {
  const successful = record.endpoints.filter(({ store }) => store.frameCount > 0);
  return {
    endpoints_configured: record.endpoints.map(({ configuredUrl }) => names.get(configuredUrl)!),
    endpoints_successful: successful.map(({ url }) => names.get(url)!),
    start_time: utcTime(record.startNs),
    end_time: utcTime(record.endNs),
    endpoint_info: Object.fromEntries(
      successful.map(endpoint => [names.get(endpoint.url)!, infoOf(endpoint)]),
    ),
  };
}

/** Seed 003, "Endpoint Info": the time and the period are those of the scrapes, changed or not. */
function infoOf({ url, store }: EndpointRecord): LegacyEndpointInfo {
  const { total_fetches, first_fetch_ns, last_fetch_ns, avg_fetch_latency_ms } = endpointInfo(store)!;
  const seconds = Number(last_fetch_ns - first_fetch_ns) / 1e9;
  return {
    endpoint_url: url,
    duration_seconds: seconds,
    scrape_count: total_fetches,
    avg_scrape_latency_ms: avg_fetch_latency_ms,
    avg_scrape_period_ms: total_fetches > 1 ? (seconds * 1000) / (total_fetches - 1) : 0,
  };
}

type SeriesEntry = LegacyMetricStream['series'] extends Iterable<infer Entry> ? Entry : never;

/** Metrics that have a series to show. */
function* metricStreams(
  record: RunRecord,
  estimator: Estimator,
  names: Names,
): Generator<readonly [string, LegacyMetricStream]> {
  for (const metric of metricsOf(record)) {
    const { name, type, description } = metric;
    const unit = isInfo(metric) ? 'info' : metric.unit;
    const entries = seriesEntries(metric, record, estimator, names);
    const first = entries.next();
    if (!first.done)
      yield [name, { type, description, unit, series: from(first.value, entries) } as LegacyMetricStream];
  }
}

function* from<T>(first: T, rest: Iterable<T>): Generator<T> {
  yield first;
  yield* rest;
}

function* seriesEntries(
  metric: PlacedMetric,
  record: RunRecord,
  estimator: Estimator,
  names: Names,
): Generator<SeriesEntry> {
  for (const placed of metric.series) {
    const { store, url } = placed.endpoint;
    const period = periodOf(store.timeline(), record.period, edgesIn(record, placed.endpoint));
    const statistics = seriesStatistics(store, placed.series, { period, estimator });
    if (!statistics) continue;
    const { labels } = placed.series;
    const origin = {
      endpoint: names.get(url)!,
      endpoint_url: url,
      labels: labels.length === 0 ? null : Object.fromEntries(labels),
    };
    yield { ...origin, ...(isInfo(metric) ? {} : figuresOf(statistics, placed, period)) };
  }
}

function isInfo({ name, type }: PlacedMetric): boolean {
  return type === 'gauge' && name.endsWith('_info');
}

type Origin = 'endpoint' | 'endpoint_url' | 'labels';
type Period = ReturnType<typeof periodOf>;

function figuresOf(statistics: SeriesStatistics, placed: PlacedSeries, period: Period): object {
  switch (statistics.type) {
    case 'counter':
      return counterFigures(statistics.stats, placed, period);
    case 'histogram':
      return histogramFigures(statistics);
    case 'summary':
      return summaryFigures(statistics);
    default:
      return gaugeFigures(statistics.stats);
  }
}

type GaugeStats = Extract<SeriesStatistics, { type: 'gauge' | 'unknown' }>['stats'];

/** "When a gauge never changes during collection, only `avg` and `observation_count` are included." */
function gaugeFigures({
  avg,
  min,
  max,
  std,
  p50,
  p90,
  p95,
  p99,
}: GaugeStats): Omit<LegacyGaugeSeries, Origin> {
  if (min === max) return { observation_count: 1, avg };
  return { avg, min, max, std, p50, p90, p95, p99, estimated_percentiles: false };
}

/** Without activity `delta` stands alone; `rate_*` are those between the samples at which the counter changed. */
function counterFigures(
  { total, rate }: CounterStatistics,
  { endpoint, series }: PlacedSeries,
  period: Period,
): Omit<LegacyCounterSeries, Origin> {
  if (total === 0) return { delta: 0 };
  const window = scalarWindow(endpoint.store, series as ScalarSeries, period);
  return { delta: total, rate_per_second: rate, ...(window && changeRates(window.samples)) };
}

/** What histograms and summaries share; without observations only their count. */
function observed({
  count,
  sum,
  avg,
  count_rate,
  sum_rate,
}: HistogramResult['stats'] | SummaryResult['stats']): Omit<LegacyHistogramSeries, Origin> {
  if (count === 0 || sum === undefined || avg === undefined) return { observation_count: count };
  return {
    observation_count: count,
    avg,
    delta: sum,
    ...(sum_rate === undefined ? {} : { rate_per_second: sum_rate }),
    ...(count_rate === undefined ? {} : { observations_per_second: count_rate }),
  };
}

/** Buckets are null after a reset, and there are no percentiles then. */
function histogramFigures({ stats, buckets }: HistogramResult): Omit<LegacyHistogramSeries, Origin> {
  const figures = observed(stats);
  if (stats.count === 0) return figures;
  const { p50_estimate: p50, p90_estimate: p90, p95_estimate: p95, p99_estimate: p99 } = stats;
  const hasEstimates = p50 !== undefined && p90 !== undefined && p95 !== undefined && p99 !== undefined;
  return {
    ...figures,
    ...(hasEstimates ? { p50, p90, p95, p99, estimated_percentiles: true } : {}),
    buckets: buckets && Object.fromEntries(buckets),
  };
}

/** Quantiles of a summary that the layout has as percentiles, too. */
const percentiles: ReadonlyMap<number, string> = new Map([
  [0.5, 'p50'],
  [0.9, 'p90'],
  [0.95, 'p95'],
  [0.99, 'p99'],
]);

/** Quantiles are the server's own; they speak of its own window of time. */
function summaryFigures({ stats, quantiles }: SummaryResult): Omit<LegacySummarySeries, Origin> {
  const figures = observed(stats);
  if (stats.count === 0 || quantiles.length === 0) return figures;
  const named = quantiles.flatMap(([quantile, value]) => {
    const name = percentiles.get(Number(quantile));
    return name === undefined ? [] : [[name, value] as const];
  });
  return {
    ...figures,
    ...Object.fromEntries(named),
    estimated_percentiles: false,
    quantiles: Object.fromEntries(quantiles),
  };
}
