// Generated from urn:servelens:schema:server-metrics:1.0 by scripts/generate.mjs. Do not edit.

/**
 * A metric: its type decides what its series carry.
 *
 * This interface was referenced by `ServerMetricsDocument`'s JSON-Schema
 * via the `definition` "Metric".
 */
export type Metric = GaugeMetric | CounterMetric | HistogramMetric;
/**
 * Prometheus labels of this series, without le and quantile. Absent or null when there are none.
 *
 * This interface was referenced by `ServerMetricsDocument`'s JSON-Schema
 * via the `definition` "Labels".
 */
export type Labels = {
  readonly [k: string]: string;
} | null;
/**
 * Observations of the period or window: upper bound, as the server printed it, to the number of observations at or below it. Cumulative, so "+Inf" is all of them. Null when a reset made them meaningless.
 *
 * This interface was referenced by `ServerMetricsDocument`'s JSON-Schema
 * via the `definition` "Buckets".
 */
export type Buckets = {
  readonly [k: string]: number;
} | null;

/**
 * server_metrics_export.json, schema 1.0: what inference servers said about themselves during a benchmark (seeds 001 and 002). Fields that are not named here are accepted.
 */
export interface ServerMetricsDocument {
  /**
   * Version of this layout.
   */
  readonly schema_version: '1.0';
  /**
   * Version of the tool that wrote the file.
   */
  readonly aiperf_version?: string | null;
  /**
   * UUID of the run, the same in all its files.
   */
  readonly benchmark_id?: string | null;
  readonly summary: ServerMetricsSummary;
  /**
   * By metric name, sorted: counters without _total.
   */
  readonly metrics: {
    readonly [k: string]: Metric;
  };
  /**
   * The configuration of the run.
   */
  readonly input_config: Readonly<Record<string, unknown>>;
}
/**
 * How the metrics were collected.
 */
export interface ServerMetricsSummary {
  /**
   * URLs of all endpoints that were asked for, reached or not.
   */
  readonly endpoints_configured: readonly string[];
  /**
   * URLs of those that gave data.
   */
  readonly endpoints_successful: readonly string[];
  /**
   * Start of the collection, ISO 8601: with Z, or without a zone as AIPerf writes it.
   */
  readonly start_time: string;
  /**
   * End of the collection, ISO 8601.
   */
  readonly end_time: string;
  /**
   * Start of the profiling period; it belongs to it. Statistics count from the last sample before.
   */
  readonly profiling_start_ns?: bigint;
  /**
   * End of the profiling period. The first scrape that follows it closes the period.
   */
  readonly profiling_end_ns?: bigint;
  /**
   * True when the run was interrupted.
   */
  readonly was_cancelled?: boolean;
  readonly exported_window?: ExportedWindow;
  /**
   * What others said about the run while it went on (servelens mark), in order of time.
   */
  readonly marks?: readonly Mark[];
  /**
   * With --settle: how long the ends of the profiling period waited for the counters of the servers to stand still.
   */
  readonly settling?: readonly Settling[];
  readonly scraping?: Scraping;
  /**
   * By URL: how the endpoint was scraped.
   */
  readonly endpoint_info: {
    readonly [k: string]: EndpointInfo;
  };
}
/**
 * Only in a document that was exported again with another window than the run's profiling period: which that was. profiling_start_ns and profiling_end_ns are then the window that was asked for.
 */
export interface ExportedWindow {
  /**
   * Start of the run's profiling period.
   */
  readonly run_profiling_start_ns: bigint;
  /**
   * End of the run's profiling period.
   */
  readonly run_profiling_end_ns: bigint;
}
/**
 * A moment of the run that somebody else named.
 *
 * This interface was referenced by `ServerMetricsDocument`'s JSON-Schema
 * via the `definition` "Mark".
 */
export interface Mark {
  /**
   * When it was said. A phase begins or ends once its barrier scrape is made: profiling_start_ns, profiling_end_ns.
   */
  readonly time_ns: bigint;
  /**
   * profiling-start, profiling-end or note.
   */
  readonly kind: string;
  /**
   * What was said.
   */
  readonly text: string;
  /**
   * Who said it, by their own account.
   */
  readonly who: string;
}
/**
 * A wait for the counters of all servers to stand still, at one end of the profiling period.
 *
 * This interface was referenced by `ServerMetricsDocument`'s JSON-Schema
 * via the `definition` "Settling".
 */
export interface Settling {
  /**
   * start or end.
   */
  readonly edge: string;
  /**
   * settled, gave_up (they still moved after the longest wait), interrupted, or no_data (no server to watch).
   */
  readonly outcome: string;
  /**
   * When the wait began.
   */
  readonly start_ns: bigint;
  /**
   * How long it lasted.
   */
  readonly seconds: number;
  /**
   * The longest it could last.
   */
  readonly limit_seconds: number;
  /**
   * Metrics that still moved, up to five.
   */
  readonly moving?: readonly string[];
}
/**
 * What collecting took on this machine.
 *
 * This interface was referenced by `ServerMetricsDocument`'s JSON-Schema
 * via the `definition` "Scraping".
 */
export interface Scraping {
  /**
   * Scrapes of all endpoints that gave data or failed.
   */
  readonly scrapes: number;
  /**
   * CPU time of the collecting process, user and system, from the first contact to the last scrape: requests, parsing, history, journal and progress. Without its start, the exports and the command that it ran.
   */
  readonly cpu_ms: number;
  /**
   * The same divided by the scrapes.
   */
  readonly cpu_ms_per_scrape?: number;
}
/**
 * How one endpoint was scraped. One that never gave data has total_fetches 0 and no times.
 *
 * This interface was referenced by `ServerMetricsDocument`'s JSON-Schema
 * via the `definition` "EndpointInfo".
 */
export interface EndpointInfo {
  /**
   * Scrapes that gave data.
   */
  readonly total_fetches: number;
  /**
   * When the first of them was answered.
   */
  readonly first_fetch_ns?: bigint;
  /**
   * When the last of them was answered.
   */
  readonly last_fetch_ns?: bigint;
  /**
   * Mean time from request to first byte.
   */
  readonly avg_fetch_latency_ms?: number;
  /**
   * Scrapes whose body differed from the one before.
   */
  readonly unique_updates?: number;
  /**
   * When the first of these was answered.
   */
  readonly first_update_ns?: bigint;
  /**
   * When the last of these was answered.
   */
  readonly last_update_ns?: bigint;
  /**
   * From first to last update.
   */
  readonly duration_seconds?: number;
  /**
   * Mean time between updates.
   */
  readonly avg_update_interval_ms?: number;
  /**
   * Median time between updates. Absent or null with too few of them.
   */
  readonly median_update_interval_ms?: number | null;
  /**
   * How the endpoint stood at the end: active (its last scrape gave data), failing (it gave data before), flapping (it gave data and failed by turns, five times within its last minute), no_data (it never did), disabled (it does not speak Prometheus) or duplicate (its metrics are another endpoint's).
   */
  readonly status?: string;
  /**
   * What the endpoint did the last time a scrape failed, as a clause: refused the connection. Null when none did.
   */
  readonly last_error?: string | null;
  /**
   * The same in a word such as refused, tls_expired, unauthorized or too_many_samples: docs/collect.md has the list. Absent when no scrape failed.
   */
  readonly last_error_reason?: string;
  /**
   * Scrapes that gave no data.
   */
  readonly scrapes_failed?: number;
  /**
   * When the first of them was sent.
   */
  readonly first_failure_ns?: bigint;
  /**
   * When the last of them was sent.
   */
  readonly last_failure_ns?: bigint;
  /**
   * Scrapes left out because the one before was still on its way.
   */
  readonly scrapes_late?: number;
  /**
   * Samples left out because they were NaN or infinite.
   */
  readonly samples_dropped?: number;
  /**
   * When the scrape was answered that deltas of the profiling period count from: the endpoint's own of the barrier at its start. Absent when it gave none.
   */
  readonly baseline_ns?: bigint;
  /**
   * When the scrape was answered that closes the profiling period: the endpoint's own of the barrier at its end.
   */
  readonly closing_ns?: bigint;
  /**
   * How far the sample that deltas count from is from profiling_start_ns: baseline_ns, or without one the last sample before the start; what happened in between may be counted on the wrong side.
   */
  readonly start_slack_ms?: number;
  /**
   * How far the sample that closes the period is from profiling_end_ns: closing_ns, or without one the next sample, or the last of all.
   */
  readonly end_slack_ms?: number;
  /**
   * Median time of a scrape, from request to last byte, to 1 %: of scrapes that gave data or ran out of time.
   */
  readonly scrape_latency_p50_ms?: number;
  /**
   * 99th percentile of the same.
   */
  readonly scrape_latency_p99_ms?: number;
  /**
   * Mean size of a body that gave data, as transferred, without headers.
   */
  readonly bytes_per_scrape?: number;
  /**
   * Bytes of all bodies that gave data, decoded.
   */
  readonly bytes_decoded?: number;
  /**
   * Mean size of a body that gave data, decoded.
   */
  readonly decoded_bytes_per_scrape?: number;
  /**
   * Time between two scrapes as it was asked for.
   */
  readonly configured_interval_ms?: number;
  /**
   * The same at the end of the run: longer while scrapes take longer than the interval.
   */
  readonly effective_interval_ms?: number;
  /**
   * The longest that it was.
   */
  readonly longest_interval_ms?: number;
  /**
   * How often it was made longer.
   */
  readonly interval_backoffs?: number;
  /**
   * What was asked for, where the metrics turned out to be elsewhere.
   */
  readonly configured_url?: string;
  /**
   * Lines left out because they could not be read, added up over all scrapes.
   */
  readonly lines_dropped?: number;
  /**
   * Bytes of all bodies, on the wire.
   */
  readonly bytes_received?: number;
  /**
   * Stretches of failed scrapes, the first hundred.
   */
  readonly outages?: readonly Outage[];
  /**
   * Further outages, that the list does not have. Absent when it has all.
   */
  readonly outages_omitted?: number;
  /**
   * Moments at which counters began again, as after a restart of the server, the first hundred. Absent when there was none.
   */
  readonly resets?: readonly Reset[];
  /**
   * How many more resets there were.
   */
  readonly resets_omitted?: number;
  /**
   * Moments at which the data began to come from another IP address, the first hundred. Absent when there was none.
   */
  readonly address_changes?: readonly AddressChange[];
  /**
   * How many more such changes there were.
   */
  readonly address_changes_omitted?: number;
}
/**
 * A stretch of failed scrapes.
 *
 * This interface was referenced by `ServerMetricsDocument`'s JSON-Schema
 * via the `definition` "Outage".
 */
export interface Outage {
  /**
   * When the first of them was sent.
   */
  readonly start_ns: bigint;
  /**
   * When data came again. Absent when it never did.
   */
  readonly end_ns?: bigint;
  /**
   * How many scrapes failed.
   */
  readonly scrapes: number;
  /**
   * Why the last of them failed, in a word such as refused, timeout, server_error or not_prometheus: docs/collect.md has the list.
   */
  readonly reason: string;
  /**
   * What the endpoint did then, as a clause.
   */
  readonly message: string;
}
/**
 * A moment at which counters of an endpoint began again.
 *
 * This interface was referenced by `ServerMetricsDocument`'s JSON-Schema
 * via the `definition` "Reset".
 */
export interface Reset {
  /**
   * When the scrape that shows it was answered.
   */
  readonly at_ns: bigint;
  /**
   * When the last scrape before it was answered: the reset lies between the two.
   */
  readonly previous_ns: bigint;
  /**
   * How many counters and histograms fell; 0 when only the process' start time tells.
   */
  readonly counters: number;
}
/**
 * A moment at which an endpoint's data began to come from another IP address.
 *
 * This interface was referenced by `ServerMetricsDocument`'s JSON-Schema
 * via the `definition` "AddressChange".
 */
export interface AddressChange {
  /**
   * When the first scrape from there was answered.
   */
  readonly at_ns: bigint;
  /**
   * The address before.
   */
  readonly from: string;
  /**
   * The address since.
   */
  readonly to: string;
}
/**
 * All series of one gauge or unknown on all endpoints.
 *
 * This interface was referenced by `ServerMetricsDocument`'s JSON-Schema
 * via the `definition` "GaugeMetric".
 */
export interface GaugeMetric {
  /**
   * Type as the server declared it; unknown when it did not (or said untyped).
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
  readonly series: readonly GaugeSeries[];
}
/**
 * One gauge (or unknown) of one endpoint.
 *
 * This interface was referenced by `ServerMetricsDocument`'s JSON-Schema
 * via the `definition` "GaugeSeries".
 */
export interface GaugeSeries {
  /**
   * Full URL of the endpoint that the series was scraped from.
   */
  readonly endpoint_url: string;
  readonly labels?: Labels;
  readonly stats: GaugeStats;
  /**
   * The period cut into windows, in order of time. Absent unless slices were asked for.
   */
  readonly timeslices?: readonly GaugeTimeslice[];
}
/**
 * What a gauge said in the period: exact statistics of all its samples.
 *
 * This interface was referenced by `ServerMetricsDocument`'s JSON-Schema
 * via the `definition` "GaugeStats".
 */
export interface GaugeStats {
  /**
   * Arithmetic mean of all samples; not weighted by time.
   */
  readonly avg: number;
  /**
   * Smallest sample.
   */
  readonly min: number;
  /**
   * Largest sample.
   */
  readonly max: number;
  /**
   * Sample standard deviation (ddof 1); 0 with one sample.
   */
  readonly std: number;
  /**
   * Percentile 1, linear between neighbouring samples.
   */
  readonly p1: number;
  /**
   * Percentile 5, linear between neighbouring samples.
   */
  readonly p5: number;
  /**
   * Percentile 10, linear between neighbouring samples.
   */
  readonly p10: number;
  /**
   * Percentile 25, linear between neighbouring samples.
   */
  readonly p25: number;
  /**
   * Percentile 50, linear between neighbouring samples.
   */
  readonly p50: number;
  /**
   * Percentile 75, linear between neighbouring samples.
   */
  readonly p75: number;
  /**
   * Percentile 90, linear between neighbouring samples.
   */
  readonly p90: number;
  /**
   * Percentile 95, linear between neighbouring samples.
   */
  readonly p95: number;
  /**
   * Percentile 99, linear between neighbouring samples.
   */
  readonly p99: number;
}
/**
 * One window of a gauge.
 *
 * This interface was referenced by `ServerMetricsDocument`'s JSON-Schema
 * via the `definition` "GaugeTimeslice".
 */
export interface GaugeTimeslice {
  /**
   * Where the slice begins.
   */
  readonly start_ns: bigint;
  /**
   * Where the slice ends.
   */
  readonly end_ns: bigint;
  /**
   * False for a slice that the end of the period cut short; absent otherwise.
   */
  readonly is_complete?: boolean;
  /**
   * Mean of the samples in the window.
   */
  readonly avg: number;
  /**
   * Smallest of them.
   */
  readonly min: number;
  /**
   * Largest of them.
   */
  readonly max: number;
}
/**
 * All series of one counter on all endpoints.
 *
 * This interface was referenced by `ServerMetricsDocument`'s JSON-Schema
 * via the `definition` "CounterMetric".
 */
export interface CounterMetric {
  /**
   * Type as the server declared it; unknown when it did not (or said untyped).
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
  readonly series: readonly CounterSeries[];
}
/**
 * One counter of one endpoint.
 *
 * This interface was referenced by `ServerMetricsDocument`'s JSON-Schema
 * via the `definition` "CounterSeries".
 */
export interface CounterSeries {
  /**
   * Full URL of the endpoint that the series was scraped from.
   */
  readonly endpoint_url: string;
  readonly labels?: Labels;
  readonly stats: CounterStats;
  /**
   * The period cut into windows, in order of time. Absent unless slices were asked for.
   */
  readonly timeslices?: readonly CounterTimeslice[];
}
/**
 * What a counter counted in the period.
 *
 * This interface was referenced by `ServerMetricsDocument`'s JSON-Schema
 * via the `definition` "CounterStats".
 */
export interface CounterStats {
  /**
   * Increase over the period: last value minus reference, never negative.
   */
  readonly total: number;
  /**
   * total divided by the seconds between reference and last sample.
   */
  readonly rate: number;
  /**
   * Mean of the rates of all complete slices. Only with slices.
   */
  readonly rate_avg?: number;
  /**
   * Smallest rate of a complete slice. Only with slices.
   */
  readonly rate_min?: number;
  /**
   * Largest rate of a complete slice. Only with slices.
   */
  readonly rate_max?: number;
  /**
   * Sample standard deviation (ddof 1) of these rates. Only with slices.
   */
  readonly rate_std?: number;
  /**
   * How often the counter fell between two samples of the period (the server restarted). Only when it did.
   */
  readonly resets?: number;
  /**
   * What was counted across all resets: the sum of all rises. Only beside resets.
   */
  readonly increase?: number;
}
/**
 * One window of a counter.
 *
 * This interface was referenced by `ServerMetricsDocument`'s JSON-Schema
 * via the `definition` "CounterTimeslice".
 */
export interface CounterTimeslice {
  /**
   * Where the slice begins.
   */
  readonly start_ns: bigint;
  /**
   * Where the slice ends.
   */
  readonly end_ns: bigint;
  /**
   * False for a slice that the end of the period cut short; absent otherwise.
   */
  readonly is_complete?: boolean;
  /**
   * Increase in the window.
   */
  readonly total: number;
  /**
   * Increase per second.
   */
  readonly rate: number;
}
/**
 * All series of one histogram on all endpoints.
 *
 * This interface was referenced by `ServerMetricsDocument`'s JSON-Schema
 * via the `definition` "HistogramMetric".
 */
export interface HistogramMetric {
  /**
   * Type as the server declared it; unknown when it did not (or said untyped).
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
  readonly series: readonly HistogramSeries[];
}
/**
 * One histogram of one endpoint.
 *
 * This interface was referenced by `ServerMetricsDocument`'s JSON-Schema
 * via the `definition` "HistogramSeries".
 */
export interface HistogramSeries {
  /**
   * Full URL of the endpoint that the series was scraped from.
   */
  readonly endpoint_url: string;
  readonly labels?: Labels;
  readonly stats: HistogramStats;
  readonly buckets?: Buckets;
  readonly percentile_bounds?: PercentileBounds;
  readonly percentile_doubts?: PercentileDoubts;
  /**
   * The period cut into windows, in order of time. Absent unless slices were asked for.
   */
  readonly timeslices?: readonly HistogramTimeslice[];
}
/**
 * What a histogram observed in the period. With count 0 there is nothing else.
 *
 * This interface was referenced by `ServerMetricsDocument`'s JSON-Schema
 * via the `definition` "HistogramStats".
 */
export interface HistogramStats {
  /**
   * Observations in the period.
   */
  readonly count: number;
  /**
   * Sum of the observations.
   */
  readonly sum?: number;
  /**
   * sum divided by count: exact.
   */
  readonly avg?: number;
  /**
   * Observations per second.
   */
  readonly count_rate?: number;
  /**
   * Growth of the sum per second.
   */
  readonly sum_rate?: number;
  /**
   * Percentile 1, estimated from the buckets.
   */
  readonly p1_estimate?: number;
  /**
   * Percentile 5, estimated from the buckets.
   */
  readonly p5_estimate?: number;
  /**
   * Percentile 10, estimated from the buckets.
   */
  readonly p10_estimate?: number;
  /**
   * Percentile 25, estimated from the buckets.
   */
  readonly p25_estimate?: number;
  /**
   * Percentile 50, estimated from the buckets.
   */
  readonly p50_estimate?: number;
  /**
   * Percentile 75, estimated from the buckets.
   */
  readonly p75_estimate?: number;
  /**
   * Percentile 90, estimated from the buckets.
   */
  readonly p90_estimate?: number;
  /**
   * Percentile 95, estimated from the buckets.
   */
  readonly p95_estimate?: number;
  /**
   * Percentile 99, estimated from the buckets.
   */
  readonly p99_estimate?: number;
  /**
   * How often the histogram fell between two samples of the period. Only when it did.
   */
  readonly resets?: number;
  readonly increase?: HistogramIncrease;
}
/**
 * The whole block again, corrected for resets. Only beside resets.
 *
 * This interface was referenced by `ServerMetricsDocument`'s JSON-Schema
 * via the `definition` "HistogramIncrease".
 */
export interface HistogramIncrease {
  /**
   * Observations across all resets.
   */
  readonly count: number;
  /**
   * Sum of the observations across all resets.
   */
  readonly sum?: number;
  /**
   * sum divided by count.
   */
  readonly avg?: number;
  readonly buckets?: Buckets;
  /**
   * Percentile 1, estimated from the buckets.
   */
  readonly p1_estimate?: number;
  /**
   * Percentile 5, estimated from the buckets.
   */
  readonly p5_estimate?: number;
  /**
   * Percentile 10, estimated from the buckets.
   */
  readonly p10_estimate?: number;
  /**
   * Percentile 25, estimated from the buckets.
   */
  readonly p25_estimate?: number;
  /**
   * Percentile 50, estimated from the buckets.
   */
  readonly p50_estimate?: number;
  /**
   * Percentile 75, estimated from the buckets.
   */
  readonly p75_estimate?: number;
  /**
   * Percentile 90, estimated from the buckets.
   */
  readonly p90_estimate?: number;
  /**
   * Percentile 95, estimated from the buckets.
   */
  readonly p95_estimate?: number;
  /**
   * Percentile 99, estimated from the buckets.
   */
  readonly p99_estimate?: number;
}
/**
 * By percentile: between which values it certainly lies, as [low, high]. Null is unbounded.
 */
export interface PercentileBounds {
  /**
   * Between which values percentile 1 lies.
   */
  readonly p1?: readonly [low: number | null, high: number | null];
  /**
   * Between which values percentile 5 lies.
   */
  readonly p5?: readonly [low: number | null, high: number | null];
  /**
   * Between which values percentile 10 lies.
   */
  readonly p10?: readonly [low: number | null, high: number | null];
  /**
   * Between which values percentile 25 lies.
   */
  readonly p25?: readonly [low: number | null, high: number | null];
  /**
   * Between which values percentile 50 lies.
   */
  readonly p50?: readonly [low: number | null, high: number | null];
  /**
   * Between which values percentile 75 lies.
   */
  readonly p75?: readonly [low: number | null, high: number | null];
  /**
   * Between which values percentile 90 lies.
   */
  readonly p90?: readonly [low: number | null, high: number | null];
  /**
   * Between which values percentile 95 lies.
   */
  readonly p95?: readonly [low: number | null, high: number | null];
  /**
   * Between which values percentile 99 lies.
   */
  readonly p99?: readonly [low: number | null, high: number | null];
}
/**
 * By percentile: why its estimate is to be read with care. above-last-bound: it lies beyond the highest finite bucket bound; wide: the interval in which it certainly lies is wider than the estimate is large. Percentiles without a doubt are absent.
 */
export interface PercentileDoubts {
  /**
   * Why the estimate of percentile 1 is to be read with care.
   */
  readonly p1?: 'above-last-bound' | 'wide';
  /**
   * Why the estimate of percentile 5 is to be read with care.
   */
  readonly p5?: 'above-last-bound' | 'wide';
  /**
   * Why the estimate of percentile 10 is to be read with care.
   */
  readonly p10?: 'above-last-bound' | 'wide';
  /**
   * Why the estimate of percentile 25 is to be read with care.
   */
  readonly p25?: 'above-last-bound' | 'wide';
  /**
   * Why the estimate of percentile 50 is to be read with care.
   */
  readonly p50?: 'above-last-bound' | 'wide';
  /**
   * Why the estimate of percentile 75 is to be read with care.
   */
  readonly p75?: 'above-last-bound' | 'wide';
  /**
   * Why the estimate of percentile 90 is to be read with care.
   */
  readonly p90?: 'above-last-bound' | 'wide';
  /**
   * Why the estimate of percentile 95 is to be read with care.
   */
  readonly p95?: 'above-last-bound' | 'wide';
  /**
   * Why the estimate of percentile 99 is to be read with care.
   */
  readonly p99?: 'above-last-bound' | 'wide';
}
/**
 * One window of a histogram.
 *
 * This interface was referenced by `ServerMetricsDocument`'s JSON-Schema
 * via the `definition` "HistogramTimeslice".
 */
export interface HistogramTimeslice {
  /**
   * Where the slice begins.
   */
  readonly start_ns: bigint;
  /**
   * Where the slice ends.
   */
  readonly end_ns: bigint;
  /**
   * False for a slice that the end of the period cut short; absent otherwise.
   */
  readonly is_complete?: boolean;
  /**
   * Observations in the window.
   */
  readonly count: number;
  /**
   * Sum of them.
   */
  readonly sum: number;
  /**
   * sum divided by count; 0 without observations.
   */
  readonly avg: number;
  readonly buckets?: Buckets;
}
