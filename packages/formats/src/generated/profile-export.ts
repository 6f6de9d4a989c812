// Generated from urn:servelens:schema:profile-export:1.3 by scripts/generate.mjs. Do not edit.

/**
 * profile_export_aiperf.json, schema 1.3: what the load generator measured (seed 004). Every other top-level object with a unit is the block of one metric; fields that are not named here are accepted.
 */
export interface ProfileExport {
  /**
   * Version of this layout.
   */
  readonly schema_version: '1.3';
  /**
   * Version of the tool that wrote the file.
   */
  readonly aiperf_version?: string | null;
  /**
   * UUID of the run, the same in all its files.
   */
  readonly benchmark_id?: string | null;
  /**
   * Start of the run, UTC.
   */
  readonly start_time?: string;
  /**
   * End of the run, UTC.
   */
  readonly end_time?: string;
  /**
   * True when the run was interrupted.
   */
  readonly was_cancelled?: boolean;
  /**
   * The resolved configuration of the run.
   */
  readonly input_config?: Readonly<Record<string, unknown>>;
  readonly run_info?: RunInfo;
  /**
   * GPU telemetry, when it was collected.
   */
  readonly telemetry_data?: Readonly<Record<string, unknown>>;
  /**
   * How often each error happened.
   */
  readonly error_summary?: readonly ErrorCount[];
  readonly [k: string]: unknown;
}
/**
 * What it takes to run this again.
 *
 * This interface was referenced by `ProfileExport`'s JSON-Schema
 * via the `definition` "RunInfo".
 */
export interface RunInfo {
  /**
   * UUID of the run, as at the top of the document.
   */
  readonly benchmark_id: string;
  /**
   * UUID of the sweep that the run belongs to.
   */
  readonly sweep_id?: string | null;
  /**
   * Seed of the run; null when it was not fixed.
   */
  readonly random_seed?: number | bigint | null;
  /**
   * Number of the trial within its variation, from 0.
   */
  readonly trial: number;
  /**
   * Name of the run, such as run_0001. AIPerf leaves it out of runs without sweep.
   */
  readonly run_label?: string;
  /**
   * Name of the variation, base outside sweeps. AIPerf leaves it out of runs without sweep.
   */
  readonly variation_label?: string;
  /**
   * Number of the variation, from 0. AIPerf leaves it out of runs without sweep.
   */
  readonly variation_index?: number;
  /**
   * Point of the sweep, by parameter path. AIPerf leaves it out of runs without sweep.
   */
  readonly variation_values?: Readonly<Record<string, unknown>>;
  /**
   * Command line of the run, without secrets.
   */
  readonly cli_command?: string | null;
}
/**
 * One error and how often it happened.
 *
 * This interface was referenced by `ProfileExport`'s JSON-Schema
 * via the `definition` "ErrorCount".
 */
export interface ErrorCount {
  readonly error_details?: ErrorDetails;
  /**
   * How often.
   */
  readonly count: number;
}
/**
 * The error.
 */
export interface ErrorDetails {
  /**
   * HTTP status or code.
   */
  readonly code?: number | string | null;
  /**
   * Class of the error.
   */
  readonly type?: string | null;
  /**
   * Its text.
   */
  readonly message?: string | null;
  /**
   * What caused it.
   */
  readonly cause?: string | null;
  /**
   * Its causes, the last one first.
   */
  readonly cause_chain?: readonly string[] | null;
  /**
   * What else is known of it.
   */
  readonly details?: unknown;
}
/**
 * Statistics of one metric. Absent fields do not apply to its kind.
 *
 * This interface was referenced by `ProfileExport`'s JSON-Schema
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
}
