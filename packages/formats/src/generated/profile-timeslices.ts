// Generated from urn:servelens:schema:profile-timeslices:1.0 by scripts/generate.mjs. Do not edit.

/**
 * profile_export_aiperf_timeslices.json: the metrics of the requests that began in each slice of the run. It has no version. Fields that are not named here are accepted.
 */
export interface ProfileTimeslices {
  /**
   * The slices in order of time.
   */
  readonly timeslices: readonly ProfileTimeslice[];
  /**
   * The resolved configuration of the run.
   */
  readonly input_config?: Readonly<Record<string, unknown>>;
}
/**
 * One slice. Every other object with a unit is the block of one metric.
 *
 * This interface was referenced by `ProfileTimeslices`'s JSON-Schema
 * via the `definition` "ProfileTimeslice".
 */
export interface ProfileTimeslice {
  /**
   * Number of the slice, from 0. Newer files of AIPerf leave it out: there the place in the list counts.
   */
  readonly timeslice_index?: number;
  /**
   * When the slice begins.
   */
  readonly start_ns?: bigint;
  /**
   * When it ends; its last nanosecond is the one before.
   */
  readonly end_ns?: bigint;
  /**
   * False when the run ended inside the slice; complete ones may leave it out.
   */
  readonly is_complete?: boolean;
  readonly [k: string]: unknown;
}
/**
 * Statistics of one metric. Absent fields do not apply to its kind.
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
   * Mean, or the single value of an aggregate or derived metric.
   */
  readonly avg?: number;
  /**
   * Percentile 1. Record metrics only.
   */
  readonly p1?: number;
  /**
   * Percentile 5. Record metrics only.
   */
  readonly p5?: number;
  /**
   * Percentile 10. Record metrics only.
   */
  readonly p10?: number;
  /**
   * Percentile 25. Record metrics only.
   */
  readonly p25?: number;
  /**
   * Percentile 50. Record metrics only.
   */
  readonly p50?: number;
  /**
   * Percentile 75. Record metrics only.
   */
  readonly p75?: number;
  /**
   * Percentile 90. Record metrics only.
   */
  readonly p90?: number;
  /**
   * Percentile 95. Record metrics only.
   */
  readonly p95?: number;
  /**
   * Percentile 99. Record metrics only.
   */
  readonly p99?: number;
  /**
   * Smallest observation. Record metrics only.
   */
  readonly min?: number;
  /**
   * Largest observation. Record metrics only.
   */
  readonly max?: number;
  /**
   * Sample standard deviation. Record metrics only.
   */
  readonly std?: number;
  /**
   * Records behind the distribution. Record metrics only.
   */
  readonly count?: number;
  /**
   * Sum of all observations. Record metrics only.
   */
  readonly sum?: number;
  /**
   * How percentiles were made where they are estimates: t-digest. Absent where they are exact.
   */
  readonly percentile_method?: string;
  /**
   * Share of all observations by which the rank of an estimated percentile is off at most; least at p50, less towards both ends.
   */
  readonly percentile_rank_error?: number;
}
