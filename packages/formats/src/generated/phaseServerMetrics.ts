// Generated from urn:servelens:schema:phase-server-metrics:1.0 by scripts/generate.mjs. Do not edit.

/**
 * Statistics of the phase. Null if there are none.
 */
export type PhaseServerMetricsData = {
  /**
   * UUID of the run, identical in all files of the run.
   */
  readonly benchmark_id?: string | null;
  /**
   * Kind of the phase: warmup or profiling.
   */
  readonly phase?: string;
  /**
   * Index of the phase in the run, from 0. Null if AIPerf added the phase itself.
   */
  readonly phase_index?: number | null;
  /**
   * Index of the phase among the profiling phases, from 0. Null for a warm-up.
   */
  readonly profiling_index?: number | null;
  /**
   * Name of the phase, which is also the name of its folder in `phases`.
   */
  readonly phase_name?: string;
  /**
   * Kind of the phase: warmup or profiling.
   */
  readonly phase_kind?: string | null;
  /**
   * Statistics of each endpoint, by its host.
   */
  readonly endpoint_summaries?: {
    readonly [k: string]: PhaseEndpoint;
  };
  /**
   * Time of the first scrape of the phase.
   */
  readonly start_ns: bigint;
  /**
   * End of the time range that the statistics cover.
   */
  readonly end_ns: bigint;
  /**
   * URLs of all requested endpoints, reached or not.
   */
  readonly endpoints_configured: readonly string[];
  /**
   * URLs of the endpoints that returned data.
   */
  readonly endpoints_successful: readonly string[];
  /**
   * Errors of the scrapes and their frequency.
   */
  readonly error_summary?: readonly ErrorCount[];
  readonly aggregation_time_filter?: PhaseTimeFilter;
  /**
   * Always empty.
   */
  readonly phase_results?: readonly Readonly<Record<string, unknown>>[];
} | null;
/**
 * Time range that the statistics cover.
 */
export type PhaseTimeFilter = {
  /**
   * Start of the range.
   */
  readonly start_ns?: bigint | null;
  /**
   * End of the range.
   */
  readonly end_ns?: bigint | null;
} | null;

/**
 * phases/<phase>/server_metrics.json, version 1: statistics of the server metrics of one phase. Additional fields are accepted.
 */
export interface PhaseServerMetrics {
  readonly data: PhaseServerMetricsData;
  readonly phase: Phase;
  /**
   * Version of the file's layout.
   */
  readonly schema_version: 1;
  /**
   * Problems of the collection in this phase.
   */
  readonly warnings: readonly string[];
}
/**
 * Statistics of one endpoint.
 *
 * This interface was referenced by `PhaseServerMetrics`'s JSON-Schema
 * via the `definition` "PhaseEndpoint".
 */
export interface PhaseEndpoint {
  /**
   * URL of the endpoint.
   */
  readonly endpoint_url: string;
  /**
   * Labels of the target, from its source or from the configuration file, such as pod and node. Absent if it has none.
   */
  readonly labels?: {
    readonly [k: string]: string;
  };
  readonly info: PhaseEndpointInfo;
  /**
   * Metrics by name, with series as in server_metrics_export.json but without `endpoint_url`.
   */
  readonly metrics: Readonly<Record<string, unknown>>;
}
/**
 * Scrapes of the endpoint in the phase.
 */
export interface PhaseEndpointInfo {
  /**
   * Number of scrapes that returned data.
   */
  readonly total_fetches: number;
  /**
   * Time of the first scrape that returned data.
   */
  readonly first_fetch_ns?: bigint;
  /**
   * Time of the last scrape that returned data.
   */
  readonly last_fetch_ns?: bigint;
  /**
   * Mean time from request to first byte, in milliseconds.
   */
  readonly avg_fetch_latency_ms?: number;
  /**
   * Number of scrapes whose body differed from the previous one.
   */
  readonly unique_updates?: number;
  /**
   * Time of the first scrape whose body differed from the previous one.
   */
  readonly first_update_ns?: bigint;
  /**
   * Time of the last scrape whose body differed from the previous one.
   */
  readonly last_update_ns?: bigint;
  /**
   * Time from the first to the last update, in seconds.
   */
  readonly duration_seconds?: number;
  /**
   * Mean time between updates, in milliseconds.
   */
  readonly avg_update_interval_ms?: number;
  /**
   * Median time between updates, in milliseconds. Null or absent if there are too few updates.
   */
  readonly median_update_interval_ms?: number | null;
}
/**
 * An error and the number of requests that failed with it.
 *
 * This interface was referenced by `PhaseServerMetrics`'s JSON-Schema
 * via the `definition` "ErrorCount".
 */
export interface ErrorCount {
  readonly error_details?: ErrorDetails;
  /**
   * Number of requests that failed with this error.
   */
  readonly count: number;
}
/**
 * Type, message and cause of the error.
 */
export interface ErrorDetails {
  /**
   * HTTP status code, or another numeric error code.
   */
  readonly code?: number | string | null;
  /**
   * Class of the error, such as HttpError.
   */
  readonly type?: string | null;
  /**
   * Error message.
   */
  readonly message?: string | null;
  /**
   * Cause of the error.
   */
  readonly cause?: string | null;
  /**
   * Chain of error classes, from the error to its root cause.
   */
  readonly cause_chain?: readonly string[] | null;
  /**
   * Additional details, in any format.
   */
  readonly details?: unknown;
}
/**
 * The phase.
 */
export interface Phase {
  /**
   * Index of the phase in the run, from 0. Null if AIPerf added the phase itself.
   */
  readonly phase_index?: number | null;
  /**
   * Index of the phase among the profiling phases, from 0. Null for a warm-up.
   */
  readonly profiling_index?: number | null;
  /**
   * Name of the phase, which is also the name of its folder in `phases`.
   */
  readonly phase_name: string;
  /**
   * Kind of the phase: warmup or profiling.
   */
  readonly phase_kind?: string | null;
  /**
   * Start of the phase.
   */
  readonly start_ns?: bigint | null;
  /**
   * End of the phase.
   */
  readonly end_ns?: bigint | null;
  /**
   * Whether the phase was interrupted.
   */
  readonly was_cancelled?: boolean;
}
