// Generated from urn:servelens:schema:server-metrics-record:1.0 by scripts/generate.mjs. Do not edit.

/**
 * A gauge, counter or unknown has a value; a histogram has buckets, sum and count.
 *
 * This interface was referenced by `ServerMetricsRecord`'s JSON-Schema
 * via the `definition` "RecordSample".
 */
export type RecordSample = HistogramSample | ScalarSample;
/**
 * Prometheus labels of this series, without le and quantile. Absent or null when there are none.
 *
 * This interface was referenced by `ServerMetricsRecord`'s JSON-Schema
 * via the `definition` "Labels".
 */
export type Labels = {
  readonly [k: string]: string;
} | null;

/**
 * One line of server_metrics_export.jsonl: one scrape of one endpoint, raw cumulative values (seed 002).
 */
export interface ServerMetricsRecord {
  /**
   * Endpoint that was scraped.
   */
  readonly endpoint_url: string;
  /**
   * When its answer began.
   */
  readonly timestamp_ns: bigint;
  /**
   * From request to first byte.
   */
  readonly endpoint_latency_ns: bigint;
  /**
   * By metric name: one sample for each label set. Families ending in _info are left out.
   */
  readonly metrics: {
    readonly [k: string]: readonly RecordSample[];
  };
  /**
   * When the request was sent.
   */
  readonly request_sent_ns?: bigint;
  /**
   * When the first byte of the answer came.
   */
  readonly first_byte_ns?: bigint;
}
/**
 * A histogram, raw.
 *
 * This interface was referenced by `ServerMetricsRecord`'s JSON-Schema
 * via the `definition` "HistogramSample".
 */
export interface HistogramSample {
  readonly labels?: Labels;
  readonly buckets: Buckets;
  /**
   * Sum of all observations since the server started.
   */
  readonly sum: number;
  /**
   * Number of these observations.
   */
  readonly count: number;
}
/**
 * Observations since the server started: upper bound, as the server printed it, to the number of observations at or below it. Cumulative, so "+Inf" is all of them. Null when a reset made them meaningless.
 */
export interface Buckets {
  readonly [k: string]: number;
}
/**
 * A gauge, counter or unknown, raw.
 *
 * This interface was referenced by `ServerMetricsRecord`'s JSON-Schema
 * via the `definition` "ScalarSample".
 */
export interface ScalarSample {
  readonly labels?: Labels;
  /**
   * Value as the server said it.
   */
  readonly value: number;
}
