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
 * The flat layout of December 2025 (seed 003) in the terms of 1.0: `delta` is total or sum, `rate_per_second`
 * is rate or sum_rate, `observation_count` is count, percentiles of histograms are estimates. A gauge that
 * never changed gets the statistics of a constant. Endpoints are known by their full URL.
 */
export function convertLegacyServerMetrics(document: LegacyServerMetricsDocument): ServerMetricsView {
  const { summary } = document;
  const urlOf = (endpoint: string): string =>
    (Object.hasOwn(summary.endpoint_info, endpoint) && summary.endpoint_info[endpoint]?.endpoint_url) ||
    endpoint;
  return {
    schema_version: 'legacy',
    summary: {
      endpoints_configured: summary.endpoints_configured.map(urlOf),
      endpoints_successful: summary.endpoints_successful.map(urlOf),
      start_time: summary.start_time,
      end_time: summary.end_time,
      endpoint_info: mapped(summary.endpoint_info, liftInfo, urlOf),
    },
    metrics: mapped(document.metrics, liftMetric),
  };
}

/** Object.fromEntries makes an own property of any name, `__proto__` too. */
function mapped<In, Out>(
  values: { readonly [key: string]: In },
  change: (value: In) => Out,
  rename = (key: string) => key,
): { [key: string]: Out } {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [rename(key), change(value)]));
}

function liftInfo(info: LegacyEndpointInfo): EndpointInfo {
  return {
    total_fetches: info.scrape_count,
    avg_fetch_latency_ms: info.avg_scrape_latency_ms,
    duration_seconds: info.duration_seconds,
    avg_update_interval_ms: info.avg_scrape_period_ms,
  };
}

function liftMetric(metric: LegacyMetric): MetricView {
  const { description, unit } = metric;
  const common = unit === undefined ? { description } : { description, unit };
  switch (metric.type) {
    case 'counter':
      return { type: metric.type, ...common, series: metric.series.map(liftCounter) };
    case 'histogram':
      return { type: metric.type, ...common, series: metric.series.map(liftHistogram) };
    case 'summary':
      return { type: metric.type, ...common, series: metric.series.map(liftSummary) };
    default:
      return { type: metric.type, ...common, series: metric.series.map(liftGauge) };
  }
}

function origin(series: {
  readonly endpoint_url: string;
  readonly labels?: GaugeView['labels'];
}): Pick<GaugeView, 'endpoint_url' | 'labels'> {
  const { endpoint_url, labels } = series;
  return labels === undefined ? { endpoint_url } : { endpoint_url, labels };
}

function liftGauge(series: LegacyGaugeSeries): GaugeView {
  const { avg, min, max, std, p50, p90, p95, p99 } = series;
  const stats =
    min === undefined && avg !== undefined ? constant(avg) : { avg, min, max, std, p50, p90, p95, p99 };
  return { ...origin(series), stats: defined(stats) };
}

function constant(avg: number): GaugeStats {
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

function liftCounter(series: LegacyCounterSeries): CounterView {
  const { delta, rate_per_second, rate_avg, rate_min, rate_max, rate_std } = series;
  const rate = rate_per_second ?? (delta === 0 ? 0 : undefined);
  return {
    ...origin(series),
    stats: defined({ total: delta, rate, rate_avg, rate_min, rate_max, rate_std }),
  };
}

function liftObserved(series: LegacyHistogramSeries | LegacySummarySeries): Partial<HistogramStats> {
  return defined({
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

function liftHistogram(series: LegacyHistogramSeries): HistogramView {
  const { buckets } = series;
  return { ...origin(series), stats: liftObserved(series), ...(buckets === undefined ? {} : { buckets }) };
}

function liftSummary(series: LegacySummarySeries): SummaryView {
  const { quantiles } = series;
  return {
    ...origin(series),
    stats: liftObserved(series),
    ...(quantiles === undefined ? {} : { quantiles }),
  };
}

type Defined<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };

function defined<T extends object>(values: T): Defined<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<T>;
}
