// Generated from urn:servelens:schema:server-metrics:legacy by scripts/generate.mjs. Do not edit.

/**
 * A metric. Its type determines the statistics of its series.
 *
 * This interface was referenced by `LegacyServerMetricsDocument`'s JSON-Schema
 * via the `definition` "LegacyMetric".
 */
export type LegacyMetric =
  LegacyGaugeMetric | LegacyCounterMetric | LegacyHistogramMetric | LegacySummaryMetric;
/**
 * Prometheus labels of the series, excluding `le` and `quantile`. Null or absent if the series has no labels.
 *
 * This interface was referenced by `LegacyServerMetricsDocument`'s JSON-Schema
 * via the `definition` "Labels".
 */
export type Labels = {
  readonly [k: string]: string;
} | null;
/**
 * Observations of the period. Maps each upper bound, as received from the server, to the number of observations at or below it. Cumulative: "+Inf" is the total. Null if a reset made the counts meaningless.
 *
 * This interface was referenced by `LegacyServerMetricsDocument`'s JSON-Schema
 * via the `definition` "Buckets".
 */
export type Buckets = {
  readonly [k: string]: number;
} | null;

/**
 * server_metrics_export.json in AIPerf's flat 2025 layout, which has no schema_version. Additional fields are accepted.
 */
export interface LegacyServerMetricsDocument {
  readonly summary: LegacySummary;
  /**
   * Metrics by name.
   */
  readonly metrics: {
    readonly [k: string]: LegacyMetric;
  };
}
/**
 * Summary of the collection: times, endpoints and failures.
 */
export interface LegacySummary {
  /**
   * `host:port` of all requested endpoints.
   */
  readonly endpoints_configured: readonly string[];
  /**
   * `host:port` of the endpoints that returned data.
   */
  readonly endpoints_successful: readonly string[];
  /**
   * Start of the collection as an ISO 8601 time.
   */
  readonly start_time: string;
  /**
   * End of the collection as an ISO 8601 time.
   */
  readonly end_time: string;
  /**
   * Details of each endpoint, by `host:port`.
   */
  readonly endpoint_info: {
    readonly [k: string]: LegacyEndpointInfo;
  };
}
/**
 * Details of one endpoint.
 *
 * This interface was referenced by `LegacyServerMetricsDocument`'s JSON-Schema
 * via the `definition` "LegacyEndpointInfo".
 */
export interface LegacyEndpointInfo {
  /**
   * URL that was scraped.
   */
  readonly endpoint_url: string;
  /**
   * Labels of the target, from its source or from the configuration file, such as pod and node. Absent if it has none.
   */
  readonly labels?: {
    readonly [k: string]: string;
  };
  /**
   * Duration of the collection from this endpoint, in seconds.
   */
  readonly duration_seconds: number;
  /**
   * Number of scrapes that returned data.
   */
  readonly scrape_count: number;
  /**
   * Mean duration of a scrape, in milliseconds.
   */
  readonly avg_scrape_latency_ms: number;
  /**
   * Mean time between two scrapes, in milliseconds.
   */
  readonly avg_scrape_period_ms: number;
}
/**
 * A gauge or a metric of unknown type, with the series of all endpoints.
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
   * HELP text of the metric.
   */
  readonly description: string;
  /**
   * Unit inferred from HELP text and name. Null or absent if none can be inferred.
   */
  readonly unit?: string | null;
  /**
   * Series, one per endpoint and label set.
   */
  readonly series: readonly LegacyGaugeSeries[];
}
/**
 * Statistics of a gauge, for one endpoint and label set. A gauge that varied has all statistics, a constant gauge has only `observation_count` and `avg`, and an `_info` metric has only labels.
 *
 * This interface was referenced by `LegacyServerMetricsDocument`'s JSON-Schema
 * via the `definition` "LegacyGaugeSeries".
 */
export interface LegacyGaugeSeries {
  /**
   * `host:port` of the endpoint.
   */
  readonly endpoint: string;
  /**
   * URL of the endpoint.
   */
  readonly endpoint_url: string;
  readonly labels?: Labels;
  /**
   * Number of distinct values: 1 if the gauge was constant. Absent otherwise.
   */
  readonly observation_count?: number;
  /**
   * Mean of all samples. If the gauge was constant, its value.
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
   * 50th percentile of the samples.
   */
  readonly p50?: number;
  /**
   * 90th percentile of the samples.
   */
  readonly p90?: number;
  /**
   * 95th percentile of the samples.
   */
  readonly p95?: number;
  /**
   * 99th percentile of the samples.
   */
  readonly p99?: number;
  /**
   * Always false: the percentiles of a gauge are exact.
   */
  readonly estimated_percentiles?: boolean;
}
/**
 * A counter, with the series of all endpoints.
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
   * HELP text of the metric.
   */
  readonly description: string;
  /**
   * Unit inferred from HELP text and name. Null or absent if none can be inferred.
   */
  readonly unit?: string | null;
  /**
   * Series, one per endpoint and label set.
   */
  readonly series: readonly LegacyCounterSeries[];
}
/**
 * Statistics of a counter, for one endpoint and label set. If the counter did not increase, only `delta` is present.
 *
 * This interface was referenced by `LegacyServerMetricsDocument`'s JSON-Schema
 * via the `definition` "LegacyCounterSeries".
 */
export interface LegacyCounterSeries {
  /**
   * `host:port` of the endpoint.
   */
  readonly endpoint: string;
  /**
   * URL of the endpoint.
   */
  readonly endpoint_url: string;
  readonly labels?: Labels;
  /**
   * Increase over the period.
   */
  readonly delta: number;
  /**
   * `delta` per second.
   */
  readonly rate_per_second?: number;
  /**
   * Time-weighted mean rate.
   */
  readonly rate_avg?: number;
  /**
   * Lowest rate between two changes.
   */
  readonly rate_min?: number;
  /**
   * Highest rate between two changes.
   */
  readonly rate_max?: number;
  /**
   * Standard deviation of the rates between changes.
   */
  readonly rate_std?: number;
}
/**
 * A histogram, with the series of all endpoints.
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
   * HELP text of the metric.
   */
  readonly description: string;
  /**
   * Unit inferred from HELP text and name. Null or absent if none can be inferred.
   */
  readonly unit?: string | null;
  /**
   * Series, one per endpoint and label set.
   */
  readonly series: readonly LegacyHistogramSeries[];
}
/**
 * Statistics of a histogram, for one endpoint and label set. If there were no observations, only `observation_count` is present.
 *
 * This interface was referenced by `LegacyServerMetricsDocument`'s JSON-Schema
 * via the `definition` "LegacyHistogramSeries".
 */
export interface LegacyHistogramSeries {
  /**
   * `host:port` of the endpoint.
   */
  readonly endpoint: string;
  /**
   * URL of the endpoint.
   */
  readonly endpoint_url: string;
  readonly labels?: Labels;
  /**
   * Number of observations in the period.
   */
  readonly observation_count: number;
  /**
   * Mean: `delta` divided by `observation_count`.
   */
  readonly avg?: number;
  /**
   * 50th percentile, estimated from the buckets.
   */
  readonly p50?: number;
  /**
   * 90th percentile, estimated from the buckets.
   */
  readonly p90?: number;
  /**
   * 95th percentile, estimated from the buckets.
   */
  readonly p95?: number;
  /**
   * 99th percentile, estimated from the buckets.
   */
  readonly p99?: number;
  /**
   * Always true: the percentiles of a histogram are estimates.
   */
  readonly estimated_percentiles?: boolean;
  /**
   * Increase of the sum of all observations.
   */
  readonly delta?: number;
  /**
   * `delta` per second.
   */
  readonly rate_per_second?: number;
  /**
   * Observations per second.
   */
  readonly observations_per_second?: number;
  readonly buckets?: Buckets;
}
/**
 * A summary, with the series of all endpoints.
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
   * HELP text of the metric.
   */
  readonly description: string;
  /**
   * Unit inferred from HELP text and name. Null or absent if none can be inferred.
   */
  readonly unit?: string | null;
  /**
   * Series, one per endpoint and label set.
   */
  readonly series: readonly LegacySummarySeries[];
}
/**
 * Quantiles of a summary, for one endpoint and label set. The server computes them over its whole lifetime.
 *
 * This interface was referenced by `LegacyServerMetricsDocument`'s JSON-Schema
 * via the `definition` "LegacySummarySeries".
 */
export interface LegacySummarySeries {
  /**
   * `host:port` of the endpoint.
   */
  readonly endpoint: string;
  /**
   * URL of the endpoint.
   */
  readonly endpoint_url: string;
  readonly labels?: Labels;
  /**
   * Number of observations in the period.
   */
  readonly observation_count: number;
  /**
   * Mean: `delta` divided by `observation_count`.
   */
  readonly avg?: number;
  /**
   * 50th percentile as computed by the server.
   */
  readonly p50?: number;
  /**
   * 90th percentile as computed by the server.
   */
  readonly p90?: number;
  /**
   * 95th percentile as computed by the server.
   */
  readonly p95?: number;
  /**
   * 99th percentile as computed by the server.
   */
  readonly p99?: number;
  /**
   * Always false: the server computed the percentiles.
   */
  readonly estimated_percentiles?: boolean;
  /**
   * Increase of the sum of all observations.
   */
  readonly delta?: number;
  /**
   * `delta` per second.
   */
  readonly rate_per_second?: number;
  /**
   * Observations per second.
   */
  readonly observations_per_second?: number;
  readonly quantiles?: Quantiles;
}
/**
 * Values by quantile, as received from the server.
 */
export interface Quantiles {
  readonly [k: string]: number;
}
