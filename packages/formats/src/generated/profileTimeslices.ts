// Generated from urn:servelens:schema:profile-timeslices:1.0 by scripts/generate.mjs. Do not edit.

/**
 * profile_export_aiperf_timeslices.json: metrics of the requests that started in each timeslice. The file has no version. Additional fields are accepted.
 */
export interface ProfileTimeslices {
  /**
   * Timeslices in chronological order.
   */
  readonly timeslices: readonly ProfileTimeslice[];
  /**
   * Effective configuration of the run.
   */
  readonly input_config?: Readonly<Record<string, unknown>>;
}
/**
 * A timeslice. Each additional object with a unit is the block of one metric.
 *
 * This interface was referenced by `ProfileTimeslices`'s JSON-Schema
 * via the `definition` "ProfileTimeslice".
 */
export interface ProfileTimeslice {
  /**
   * Index of the timeslice, from 0. Absent in newer AIPerf files, in which the position in the list is the index.
   */
  readonly timeslice_index?: number;
  /**
   * Start of the timeslice, inclusive.
   */
  readonly start_ns?: bigint;
  /**
   * End of the timeslice, exclusive.
   */
  readonly end_ns?: bigint;
  /**
   * False if the run ended during the timeslice. May be absent if the timeslice is complete.
   */
  readonly is_complete?: boolean;
  readonly [k: string]: unknown;
}
/**
 * Statistics of one metric. Fields that do not apply to the kind of metric are absent.
 *
 * This interface was referenced by `ProfileTimeslices`'s JSON-Schema
 * via the `definition` "ProfileMetric".
 */
export interface ProfileMetric {
  /**
   * Unit of all values in this block.
   */
  readonly unit: string;
  /**
   * Mean over all requests, or the value of a metric that has only one.
   */
  readonly avg?: number;
  /**
   * 1st percentile. Per-request metrics only.
   */
  readonly p1?: number;
  /**
   * 5th percentile. Per-request metrics only.
   */
  readonly p5?: number;
  /**
   * 10th percentile. Per-request metrics only.
   */
  readonly p10?: number;
  /**
   * 25th percentile. Per-request metrics only.
   */
  readonly p25?: number;
  /**
   * 50th percentile. Per-request metrics only.
   */
  readonly p50?: number;
  /**
   * 75th percentile. Per-request metrics only.
   */
  readonly p75?: number;
  /**
   * 90th percentile. Per-request metrics only.
   */
  readonly p90?: number;
  /**
   * 95th percentile. Per-request metrics only.
   */
  readonly p95?: number;
  /**
   * 99th percentile. Per-request metrics only.
   */
  readonly p99?: number;
  /**
   * Smallest value. Per-request metrics only.
   */
  readonly min?: number;
  /**
   * Largest value. Per-request metrics only.
   */
  readonly max?: number;
  /**
   * Sample standard deviation. Per-request metrics only.
   */
  readonly std?: number;
  /**
   * Number of values in the distribution. Per-request metrics only.
   */
  readonly count?: number;
  /**
   * Sum of all values. Per-request metrics only.
   */
  readonly sum?: number;
  /**
   * Method of the percentile estimates (t-digest). Absent if the percentiles are exact.
   */
  readonly percentile_method?: string;
  /**
   * Maximum rank error of an estimated percentile, as a fraction of the number of values. It applies to the median; percentiles closer to 0 or 100 have smaller errors.
   */
  readonly percentile_rank_error?: number;
  /**
   * Resolution of the times of requests in a metric that is weighted by time. Absent if they are exact.
   */
  readonly time_resolution_ms?: number;
}
