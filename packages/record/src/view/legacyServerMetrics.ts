import {
  type CounterStatistics,
  computeChangeRates,
  computeEndpointInfo,
  computeSeriesStatistics,
  type HistogramResult,
  readScalarWindow,
  type ScalarSeries,
  type SeriesStatistics,
  type SummaryResult,
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
import { formatUtc } from '../isoTime.ts';
import type { EndpointRecord, RunRecord } from '../runRecord.ts';
import { type ExportView, isInfoMetric, type ViewMetric, type ViewSeries } from './exportView.ts';
import { prepend, type StatisticsOptions } from './serverMetrics.ts';

type Names = ReadonlyMap<string, string>;
type Estimator = StatisticsOptions['estimator'];

/**
 * Returns server_metrics_export.json in AIPerf's flat 2025 layout, which includes summaries and the labels of `_info`
 * families, but neither timeslices nor the fields that describe resets. Each series is computed when it is read.
 */
export function streamLegacyServerMetrics(
  view: ExportView,
  { estimator }: Pick<StatisticsOptions, 'estimator'>,
): LegacyServerMetricsStream {
  const { endpoints } = view.record;
  const names = nameEndpoints(endpoints.flatMap(({ url, configuredUrl }) => [url, configuredUrl]));
  return {
    summary: toLegacySummary(view.record, names),
    metrics: generateMetricStreams(view, estimator, names),
  };
}

function toLegacySummary(record: RunRecord, names: Names): LegacyServerMetricsDocument['summary'] {
  const successful = record.endpoints.filter(({ store }) => store.frameCount > 0);
  return {
    endpoints_configured: record.endpoints.map(({ configuredUrl }) => names.get(configuredUrl)!),
    endpoints_successful: successful.map(({ url }) => names.get(url)!),
    start_time: formatUtc(record.startNs),
    end_time: formatUtc(record.endNs),
    endpoint_info: Object.fromEntries(
      successful.map(endpoint => [names.get(endpoint.url)!, toLegacyEndpointInfo(endpoint)]),
    ),
  };
}

/**
 * Converts endpoint information. In this layout, duration and scrape period cover all scrapes, including
 * unchanged bodies.
 */
function toLegacyEndpointInfo({ url, store, labels }: EndpointRecord): LegacyEndpointInfo {
  const { total_fetches, first_fetch_ns, last_fetch_ns, avg_fetch_latency_ms } = computeEndpointInfo(store)!;
  const seconds = Number(last_fetch_ns - first_fetch_ns) / 1e9;
  return {
    endpoint_url: url,
    ...(labels ? { labels } : {}),
    duration_seconds: seconds,
    scrape_count: total_fetches,
    avg_scrape_latency_ms: avg_fetch_latency_ms,
    avg_scrape_period_ms: total_fetches > 1 ? (seconds * 1000) / (total_fetches - 1) : 0,
  };
}

type SeriesEntry = LegacyMetricStream['series'] extends Iterable<infer Entry> ? Entry : never;

/** Yields the metrics that have at least one series with a sample in the period. */
function* generateMetricStreams(
  { metrics }: ExportView,
  estimator: Estimator,
  names: Names,
): Generator<readonly [string, LegacyMetricStream]> {
  for (const metric of metrics) {
    const { name, type, description } = metric;
    const unit = isInfoMetric(metric) ? 'info' : metric.unit;
    const entries = generateSeriesEntries(metric, estimator, names);
    const first = entries.next();
    if (!first.done)
      yield [name, { type, description, unit, series: prepend(first.value, entries) } as LegacyMetricStream];
  }
}

function* generateSeriesEntries(
  metric: ViewMetric,
  estimator: Estimator,
  names: Names,
): Generator<SeriesEntry> {
  for (const entry of metric.series) {
    const { record, period } = entry.endpoint;
    const statistics = computeSeriesStatistics(record.store, entry.series, { period, estimator });
    if (!statistics) continue;
    const { labels } = entry.series;
    const identity = {
      endpoint: names.get(record.url)!,
      endpoint_url: record.url,
      labels: labels.length === 0 ? null : Object.fromEntries(labels),
    };
    yield { ...identity, ...(isInfoMetric(metric) ? {} : toFields(statistics, entry)) };
  }
}

type Identity = 'endpoint' | 'endpoint_url' | 'labels';

function toFields(statistics: SeriesStatistics, entry: ViewSeries): object {
  switch (statistics.type) {
    case 'counter':
      return toCounterFields(statistics.stats, entry);
    case 'histogram':
      return toHistogramFields(statistics);
    case 'summary':
      return toSummaryFields(statistics);
    default:
      return toGaugeFields(statistics.stats);
  }
}

type GaugeStats = Extract<SeriesStatistics, { type: 'gauge' | 'unknown' }>['stats'];

/** Returns the fields of a gauge: only `avg` and `observation_count` if it never changes during the period. */
function toGaugeFields({
  avg,
  min,
  max,
  std,
  p50,
  p90,
  p95,
  p99,
}: GaugeStats): Omit<LegacyGaugeSeries, Identity> {
  if (min === max) return { observation_count: 1, avg };
  return { avg, min, max, std, p50, p90, p95, p99, estimated_percentiles: false };
}

/**
 * Returns the fields of a counter: only `delta` if it is idle. `rate_*` are computed between changes of the
 * counter.
 */
function toCounterFields(
  { total, rate }: CounterStatistics,
  { endpoint, series }: ViewSeries,
): Omit<LegacyCounterSeries, Identity> {
  if (total === 0) return { delta: 0 };
  const window = readScalarWindow(endpoint.record.store, series as ScalarSeries, endpoint.period);
  return { delta: total, rate_per_second: rate, ...(window && computeChangeRates(window.samples)) };
}

/** Returns the fields that histograms and summaries share. Without observations, returns only the count. */
function toObservationFields({
  count,
  sum,
  avg,
  count_rate,
  sum_rate,
}: HistogramResult['stats'] | SummaryResult['stats']): Omit<LegacyHistogramSeries, Identity> {
  if (count === 0 || sum === undefined || avg === undefined) return { observation_count: count };
  return {
    observation_count: count,
    avg,
    delta: sum,
    ...(sum_rate === undefined ? {} : { rate_per_second: sum_rate }),
    ...(count_rate === undefined ? {} : { observations_per_second: count_rate }),
  };
}

/** Returns the fields of a histogram. After a reset, buckets are null and percentiles are omitted. */
function toHistogramFields({ stats, buckets }: HistogramResult): Omit<LegacyHistogramSeries, Identity> {
  const fields = toObservationFields(stats);
  if (stats.count === 0) return fields;
  const { p50_estimate: p50, p90_estimate: p90, p95_estimate: p95, p99_estimate: p99 } = stats;
  const hasEstimates = p50 !== undefined && p90 !== undefined && p95 !== undefined && p99 !== undefined;
  return {
    ...fields,
    ...(hasEstimates ? { p50, p90, p95, p99, estimated_percentiles: true } : {}),
    buckets: buckets && Object.fromEntries(buckets),
  };
}

/** Quantiles that this layout repeats as percentile fields. */
const PERCENTILES: ReadonlyMap<number, string> = new Map([
  [0.5, 'p50'],
  [0.9, 'p90'],
  [0.95, 'p95'],
  [0.99, 'p99'],
]);

/**
 * Returns the fields of a summary. Servers compute quantiles over their own time window, so they are exported
 * unchanged.
 */
function toSummaryFields({ stats, quantiles }: SummaryResult): Omit<LegacySummarySeries, Identity> {
  const fields = toObservationFields(stats);
  if (stats.count === 0 || quantiles.length === 0) return fields;
  const percentileFields = quantiles.flatMap(([quantile, value]) => {
    const name = PERCENTILES.get(Number(quantile));
    return name === undefined ? [] : [[name, value] as const];
  });
  return {
    ...fields,
    ...Object.fromEntries(percentileFields),
    estimated_percentiles: false,
    quantiles: Object.fromEntries(quantiles),
  };
}
