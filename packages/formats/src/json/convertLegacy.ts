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
 * Converts a document of AIPerf's flat 2025 layout to the field names of version 1.0: `delta` becomes total or sum,
 * `rate_per_second` becomes rate or sum_rate, `observation_count` becomes count, and percentiles of histograms become
 * estimates. A gauge that never changed gets the statistics of a constant. Endpoints are identified by their full URL.
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

/** Maps the values of a record. Object.fromEntries also creates own properties with names such as `__proto__`. */
function mapValues<In, Out>(
  values: { readonly [key: string]: In },
  change: (value: In) => Out,
  rename = (key: string) => key,
): { [key: string]: Out } {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [rename(key), change(value)]));
}

function convertInfo(info: LegacyEndpointInfo): EndpointInfo {
  return {
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

function buildConstantStats(avg: number): GaugeStats {
  const at = avg;
  return {
    avg,
    min: at,
    max: at,
    std: 0,
    p1: at,
    p5: at,
    p10: at,
    p25: at,
    p50: at,
    p75: at,
    p90: at,
    p95: at,
    p99: at,
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
