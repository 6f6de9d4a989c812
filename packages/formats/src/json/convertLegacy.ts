import type {
  LegacyCounterSeries,
  LegacyEndpointInfo,
  LegacyGaugeSeries,
  LegacyHistogramSeries,
  LegacyMetric,
  LegacyServerMetricsDocument,
  LegacySummarySeries,
} from '../generated/legacyServerMetrics.ts';
import type { EndpointInfo, GaugeStats, HistogramStats } from '../generated/serverMetrics.ts';
import type {
  CounterView,
  GaugeView,
  HistogramView,
  MetricView,
  ServerMetricsView,
  SummaryView,
} from './serverMetricsView.ts';

/**
 * Converts a document in AIPerf's flat 2025 layout to the field names of version 1.0: `delta` becomes `total`
 * or `sum`, `rate_per_second` becomes `rate` or `sum_rate`, `observation_count` becomes `count`, and
 * percentiles of histograms become estimates. For a gauge that never changed, min, max and all percentiles
 * are set to its value. Endpoint names are replaced with full URLs.
 */
export function convertLegacyServerMetrics(document: LegacyServerMetricsDocument): ServerMetricsView {
  const { summary } = document;
  const toUrl = (endpoint: string): string =>
    (Object.hasOwn(summary.endpoint_info, endpoint) && summary.endpoint_info[endpoint]?.endpoint_url) ||
    endpoint;
  return {
    schema_version: 'legacy',
    summary: {
      endpoints_configured: summary.endpoints_configured.map(toUrl),
      endpoints_successful: summary.endpoints_successful.map(toUrl),
      start_time: summary.start_time,
      end_time: summary.end_time,
      endpoint_info: mapValues(summary.endpoint_info, convertInfo, toUrl),
    },
    metrics: mapValues(document.metrics, convertMetric),
  };
}

/**
 * Converts the values and, optionally, the keys of a record. Object.fromEntries handles keys such as
 * `__proto__` correctly.
 */
function mapValues<In, Out>(
  values: { readonly [key: string]: In },
  convertValue: (value: In) => Out,
  convertKey = (key: string) => key,
): { [key: string]: Out } {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [convertKey(key), convertValue(value)]),
  );
}

function convertInfo(info: LegacyEndpointInfo): EndpointInfo {
  return {
    ...(info.labels ? { labels: info.labels } : {}),
    total_fetches: info.scrape_count,
    avg_fetch_latency_ms: info.avg_scrape_latency_ms,
    duration_seconds: info.duration_seconds,
    avg_update_interval_ms: info.avg_scrape_period_ms,
  };
}

function convertMetric(metric: LegacyMetric): MetricView {
  const { description, unit } = metric;
  const common = unit === undefined ? { description } : { description, unit };
  switch (metric.type) {
    case 'counter':
      return { type: metric.type, ...common, series: metric.series.map(convertCounter) };
    case 'histogram':
      return { type: metric.type, ...common, series: metric.series.map(convertHistogram) };
    case 'summary':
      return { type: metric.type, ...common, series: metric.series.map(convertSummary) };
    default:
      return { type: metric.type, ...common, series: metric.series.map(convertGauge) };
  }
}

/** Returns the endpoint and labels of a series. */
function pickOrigin(series: {
  readonly endpoint_url: string;
  readonly labels?: GaugeView['labels'];
}): Pick<GaugeView, 'endpoint_url' | 'labels'> {
  const { endpoint_url, labels } = series;
  return labels === undefined ? { endpoint_url } : { endpoint_url, labels };
}

function convertGauge(series: LegacyGaugeSeries): GaugeView {
  const { avg, min, max, std, p50, p90, p95, p99 } = series;
  const stats =
    min === undefined && avg !== undefined
      ? buildConstantStats(avg)
      : { avg, min, max, std, p50, p90, p95, p99 };
  return { ...pickOrigin(series), stats: omitUndefined(stats) };
}

/** Returns the statistics of a gauge that always had the same value. */
function buildConstantStats(value: number): GaugeStats {
  return {
    avg: value,
    min: value,
    max: value,
    std: 0,
    p1: value,
    p5: value,
    p10: value,
    p25: value,
    p50: value,
    p75: value,
    p90: value,
    p95: value,
    p99: value,
  };
}

function convertCounter(series: LegacyCounterSeries): CounterView {
  const { delta, rate_per_second, rate_avg, rate_min, rate_max, rate_std } = series;
  const rate = rate_per_second ?? (delta === 0 ? 0 : undefined);
  return {
    ...pickOrigin(series),
    stats: omitUndefined({ total: delta, rate, rate_avg, rate_min, rate_max, rate_std }),
  };
}

/** Converts the statistics of a histogram or summary. */
function convertObservations(series: LegacyHistogramSeries | LegacySummarySeries): Partial<HistogramStats> {
  return omitUndefined({
    count: series.observation_count,
    sum: series.delta,
    avg: series.avg,
    count_rate: series.observations_per_second,
    sum_rate: series.rate_per_second,
    p50_estimate: series.p50,
    p90_estimate: series.p90,
    p95_estimate: series.p95,
    p99_estimate: series.p99,
  });
}

function convertHistogram(series: LegacyHistogramSeries): HistogramView {
  const { buckets } = series;
  return {
    ...pickOrigin(series),
    stats: convertObservations(series),
    ...(buckets === undefined ? {} : { buckets }),
  };
}

function convertSummary(series: LegacySummarySeries): SummaryView {
  const { quantiles } = series;
  return {
    ...pickOrigin(series),
    stats: convertObservations(series),
    ...(quantiles === undefined ? {} : { quantiles }),
  };
}

type Defined<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };

function omitUndefined<T extends object>(values: T): Defined<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<T>;
}
