// Generated from urn:servelens:schema:server-metrics-record:1.0 by scripts/generate.mjs. Do not edit.

/**
 * A raw sample. A gauge, counter or unknown has `value`; a histogram has `buckets`, `sum` and `count`.
 *
 * This interface was referenced by `ServerMetricsRecord`'s JSON-Schema
 * via the `definition` "RecordSample".
 */
export type RecordSample = HistogramSample | ScalarSample;
/**
 * Prometheus labels of the series, without `le` and `quantile`. Null or absent if the series has no labels.
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
   * Samples by metric name, one per label set. Families that end in `_info` are omitted.
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
   * Sum of all observations since the server started.
   */
  readonly sum: number;
  /**
   * Number of observations since the server started.
   */
  readonly count: number;
}
/**
 * Observations since the server started. Maps each upper bound, as printed by the server, to the number of observations at or below it. Cumulative: "+Inf" is the total.
 */
export interface Buckets {
  readonly [k: string]: number;
}
/**
 * Raw sample of a gauge, counter or unknown.
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
