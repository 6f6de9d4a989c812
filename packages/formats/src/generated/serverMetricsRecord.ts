// Generated from urn:servelens:schema:server-metrics-record:1.0 by scripts/generate.mjs. Do not edit.

/**
 * A raw sample. Gauges, counters and metrics of unknown type have `value`; histograms have `buckets`, `sum` and `count`.
 *
 * This interface was referenced by `ServerMetricsRecord`'s JSON-Schema
 * via the `definition` "RecordSample".
 */
export type RecordSample = HistogramSample | ScalarSample;
/**
 * Prometheus labels of the series, excluding `le` and `quantile`. Null or absent if the series has no labels.
 *
 * This interface was referenced by `ServerMetricsRecord`'s JSON-Schema
 * via the `definition` "Labels".
 */
export type Labels = {
  readonly [k: string]: string;
} | null;

/**
 * A line of server_metrics_export.jsonl: one scrape of one endpoint, with raw cumulative values.
 */
export interface ServerMetricsRecord {
  /**
   * URL of the scraped endpoint.
   */
  readonly endpoint_url: string;
  /**
   * Time of the first byte of the response.
   */
  readonly timestamp_ns: bigint;
  /**
   * Time from the request to the first byte of the response.
   */
  readonly endpoint_latency_ns: bigint;
  /**
   * Samples by metric name, one per label set. Families whose names end in `_info` are omitted.
   */
  readonly metrics: {
    readonly [k: string]: readonly RecordSample[];
  };
  /**
   * Send time of the request.
   */
  readonly request_sent_ns?: bigint;
  /**
   * Time of the first byte of the response.
   */
  readonly first_byte_ns?: bigint;
  /**
   * Phase of the run in which the scrape was made: warmup or profiling. Absent before the first phase and after the last.
   */
  readonly benchmark_phase?: string | null;
  /**
   * Index of the phase in the run, from 0.
   */
  readonly phase_index?: number | null;
  /**
   * Index of the phase among the profiling phases, from 0. Null or absent for a warm-up.
   */
  readonly profiling_index?: number | null;
  /**
   * Name of the phase.
   */
  readonly phase_name?: string | null;
  /**
   * Kind of the phase: warmup or profiling.
   */
  readonly phase_kind?: string | null;
  /**
   * Labels of the target, from its source or from the configuration file, such as pod and node. Absent if it has none.
   */
  readonly target_labels?: {
    readonly [k: string]: string;
  };
}
/**
 * Raw sample of a histogram.
 *
 * This interface was referenced by `ServerMetricsRecord`'s JSON-Schema
 * via the `definition` "HistogramSample".
 */
export interface HistogramSample {
  readonly labels?: Labels;
  readonly buckets: Buckets;
  /**
   * Sum of all observations since the server started. Absent if the server does not return it.
   */
  readonly sum?: number;
  /**
   * Number of observations since the server started.
   */
  readonly count: number;
}
/**
 * Observations since the server started. Maps each upper bound, as received from the server, to the number of observations at or below it. Cumulative: "+Inf" is the total.
 */
export interface Buckets {
  readonly [k: string]: number;
}
/**
 * Raw sample of a gauge, a counter or a metric of unknown type.
 *
 * This interface was referenced by `ServerMetricsRecord`'s JSON-Schema
 * via the `definition` "ScalarSample".
 */
export interface ScalarSample {
  readonly labels?: Labels;
  /**
   * Value as sent by the server.
   */
  readonly value: number;
}
