// Generated from urn:servelens:schema:server-metrics:legacy by scripts/generate.mjs. Do not edit.

/**
 * A metric: its type decides what its series carry.
 *
 * This interface was referenced by `LegacyServerMetricsDocument`'s JSON-Schema
 * via the `definition` "LegacyMetric".
 */
export type LegacyMetric =
  LegacyGaugeMetric | LegacyCounterMetric | LegacyHistogramMetric | LegacySummaryMetric;
/**
 * Prometheus labels of this series, without le and quantile. Absent or null when there are none.
 *
 * This interface was referenced by `LegacyServerMetricsDocument`'s JSON-Schema
 * via the `definition` "Labels".
 */
export type Labels = {
  readonly [k: string]: string;
} | null;
/**
 * Observations of the period: upper bound, as the server printed it, to the number of observations at or below it. Cumulative, so "+Inf" is all of them. Null when a reset made them meaningless.
 *
 * This interface was referenced by `LegacyServerMetricsDocument`'s JSON-Schema
 * via the `definition` "Buckets".
 */
export type Buckets = {
  readonly [k: string]: number;
} | null;

/**
 * server_metrics_export.json of December 2025: flat statistics, no schema_version (seed 003). Fields that are not named here are accepted.
 */
export interface LegacyServerMetricsDocument {
  readonly summary: LegacySummary;
  /**
   * By metric name.
   */
  readonly metrics: {
    readonly [k: string]: LegacyMetric;
  };
}
/**
 * How the metrics were collected.
 */
export interface LegacySummary {
  /**
   * host:port of all endpoints that were asked for.
   */
  readonly endpoints_configured: readonly string[];
  /**
   * host:port of those that gave data.
   */
  readonly endpoints_successful: readonly string[];
  /**
   * Start of the collection, ISO 8601.
   */
  readonly start_time: string;
  /**
   * End of the collection, ISO 8601.
   */
  readonly end_time: string;
  /**
   * By host:port: how the endpoint was scraped.
   */
  readonly endpoint_info: {
    readonly [k: string]: LegacyEndpointInfo;
  };
}
/**
 * How one endpoint was scraped.
 *
 * This interface was referenced by `LegacyServerMetricsDocument`'s JSON-Schema
 * via the `definition` "LegacyEndpointInfo".
 */
export interface LegacyEndpointInfo {
  /**
   * Full URL that was scraped.
   */
  readonly endpoint_url: string;
  /**
   * How long it was scraped.
   */
  readonly duration_seconds: number;
  /**
   * Scrapes that gave data.
   */
  readonly scrape_count: number;
  /**
   * Mean time of a scrape.
   */
  readonly avg_scrape_latency_ms: number;
  /**
   * Mean time between two scrapes.
   */
  readonly avg_scrape_period_ms: number;
}
/**
 * All series of one gauge or unknown on all endpoints.
 *
 * This interface was referenced by `LegacyServerMetricsDocument`'s JSON-Schema
 * via the `definition` "LegacyGaugeMetric".
 */
export interface LegacyGaugeMetric {
  /**
   * Prometheus type of the metric.
   */
  readonly type: 'gauge' | 'unknown';
  /**
   * HELP text of the server.
   */
  readonly description: string;
  /**
   * Unit inferred from HELP and name. Absent or null when none can be.
   */
  readonly unit?: string | null;
  /**
   * One entry for each endpoint and label set.
   */
  readonly series: readonly LegacyGaugeSeries[];
}
/**
 * One gauge: all statistics when it varied, observation_count and avg when it did not, labels only for _info metrics.
 *
 * This interface was referenced by `LegacyServerMetricsDocument`'s JSON-Schema
 * via the `definition` "LegacyGaugeSeries".
 */
export interface LegacyGaugeSeries {
  /**
   * host:port of the endpoint.
   */
  readonly endpoint: string;
  /**
   * Full URL of the endpoint.
   */
  readonly endpoint_url: string;
  readonly labels?: Labels;
  /**
   * 1 for a gauge that never changed; absent otherwise.
   */
  readonly observation_count?: number;
  /**
   * Mean of all samples, or the value of a gauge that never changed.
   */
  readonly avg?: number;
  /**
   * Smallest sample.
   */
  readonly min?: number;
  /**
   * Largest sample.
   */
  readonly max?: number;
  /**
   * Standard deviation of the samples.
   */
  readonly std?: number;
  /**
   * Percentile 50 of the samples.
   */
  readonly p50?: number;
  /**
   * Percentile 90 of the samples.
   */
  readonly p90?: number;
  /**
   * Percentile 95 of the samples.
   */
  readonly p95?: number;
  /**
   * Percentile 99 of the samples.
   */
  readonly p99?: number;
  /**
   * False: percentiles of a gauge are exact.
   */
  readonly estimated_percentiles?: boolean;
}
/**
 * All series of one counter on all endpoints.
 *
 * This interface was referenced by `LegacyServerMetricsDocument`'s JSON-Schema
 * via the `definition` "LegacyCounterMetric".
 */
export interface LegacyCounterMetric {
  /**
   * Prometheus type of the metric.
   */
  readonly type: 'counter';
  /**
   * HELP text of the server.
   */
  readonly description: string;
  /**
   * Unit inferred from HELP and name. Absent or null when none can be.
   */
  readonly unit?: string | null;
  /**
   * One entry for each endpoint and label set.
   */
  readonly series: readonly LegacyCounterSeries[];
}
/**
 * One counter; without activity only delta.
 *
 * This interface was referenced by `LegacyServerMetricsDocument`'s JSON-Schema
 * via the `definition` "LegacyCounterSeries".
 */
export interface LegacyCounterSeries {
  /**
   * host:port of the endpoint.
   */
  readonly endpoint: string;
  /**
   * Full URL of the endpoint.
   */
  readonly endpoint_url: string;
  readonly labels?: Labels;
  /**
   * Increase over the period.
   */
  readonly delta: number;
  /**
   * delta per second.
   */
  readonly rate_per_second?: number;
  /**
   * Time-weighted mean rate.
   */
  readonly rate_avg?: number;
  /**
   * Smallest rate between two scrapes.
   */
  readonly rate_min?: number;
  /**
   * Largest rate between two scrapes.
   */
  readonly rate_max?: number;
  /**
   * Standard deviation of these rates.
   */
  readonly rate_std?: number;
}
/**
 * All series of one histogram on all endpoints.
 *
 * This interface was referenced by `LegacyServerMetricsDocument`'s JSON-Schema
 * via the `definition` "LegacyHistogramMetric".
 */
export interface LegacyHistogramMetric {
  /**
   * Prometheus type of the metric.
   */
  readonly type: 'histogram';
  /**
   * HELP text of the server.
   */
  readonly description: string;
  /**
   * Unit inferred from HELP and name. Absent or null when none can be.
   */
  readonly unit?: string | null;
  /**
   * One entry for each endpoint and label set.
   */
  readonly series: readonly LegacyHistogramSeries[];
}
/**
 * One histogram; without observations only observation_count.
 *
 * This interface was referenced by `LegacyServerMetricsDocument`'s JSON-Schema
 * via the `definition` "LegacyHistogramSeries".
 */
export interface LegacyHistogramSeries {
  /**
   * host:port of the endpoint.
   */
  readonly endpoint: string;
  /**
   * Full URL of the endpoint.
   */
  readonly endpoint_url: string;
  readonly labels?: Labels;
  /**
   * Observations in the period.
   */
  readonly observation_count: number;
  /**
   * delta divided by observation_count.
   */
  readonly avg?: number;
  /**
   * Percentile 50, estimated from the buckets.
   */
  readonly p50?: number;
  /**
   * Percentile 90, estimated from the buckets.
   */
  readonly p90?: number;
  /**
   * Percentile 95, estimated from the buckets.
   */
  readonly p95?: number;
  /**
   * Percentile 99, estimated from the buckets.
   */
  readonly p99?: number;
  /**
   * True: percentiles of a histogram are estimates.
   */
  readonly estimated_percentiles?: boolean;
  /**
   * Growth of the sum of all observations of the histogram.
   */
  readonly delta?: number;
  /**
   * delta per second.
   */
  readonly rate_per_second?: number;
  /**
   * Observations per second.
   */
  readonly observations_per_second?: number;
  readonly buckets?: Buckets;
}
/**
 * All series of one summary on all endpoints.
 *
 * This interface was referenced by `LegacyServerMetricsDocument`'s JSON-Schema
 * via the `definition` "LegacySummaryMetric".
 */
export interface LegacySummaryMetric {
  /**
   * Prometheus type of the metric.
   */
  readonly type: 'summary';
  /**
   * HELP text of the server.
   */
  readonly description: string;
  /**
   * Unit inferred from HELP and name. Absent or null when none can be.
   */
  readonly unit?: string | null;
  /**
   * One entry for each endpoint and label set.
   */
  readonly series: readonly LegacySummarySeries[];
}
/**
 * One summary: quantiles are the server's own, over its whole life.
 *
 * This interface was referenced by `LegacyServerMetricsDocument`'s JSON-Schema
 * via the `definition` "LegacySummarySeries".
 */
export interface LegacySummarySeries {
  /**
   * host:port of the endpoint.
   */
  readonly endpoint: string;
  /**
   * Full URL of the endpoint.
   */
  readonly endpoint_url: string;
  readonly labels?: Labels;
  /**
   * Observations in the period.
   */
  readonly observation_count: number;
  /**
   * delta divided by observation_count.
   */
  readonly avg?: number;
  /**
   * Percentile 50, as the server computed it.
   */
  readonly p50?: number;
  /**
   * Percentile 90, as the server computed it.
   */
  readonly p90?: number;
  /**
   * Percentile 95, as the server computed it.
   */
  readonly p95?: number;
  /**
   * Percentile 99, as the server computed it.
   */
  readonly p99?: number;
  /**
   * False: the server computed them.
   */
  readonly estimated_percentiles?: boolean;
  /**
   * Growth of the sum of all observations of the summary.
   */
  readonly delta?: number;
  /**
   * delta per second.
   */
  readonly rate_per_second?: number;
  /**
   * Observations per second.
   */
  readonly observations_per_second?: number;
  readonly quantiles?: Quantiles;
}
/**
 * By quantile, as the server printed it: its value.
 */
export interface Quantiles {
  readonly [k: string]: number;
}
