// Generated from urn:servelens:schema:profile-collated:1.0.0 by scripts/generate.mjs. Do not edit.

/**
 * profile_export_aiperf_collated.json, schema 1.0.0: the requests of all runs as one population (seed 004). Fields that are not named here are accepted.
 */
export interface ProfileCollated {
  /**
   * Version of this layout.
   */
  readonly schema_version: '1.0.0';
  /**
   * Version of the tool that wrote the file.
   */
  readonly aiperf_version?: string | null;
  /**
   * What the file holds, for people.
   */
  readonly description?: string | null;
  readonly metadata: CollatedMetadata;
  /**
   * By metric tag.
   */
  readonly metrics: {
    readonly [k: string]: CollatedMetric;
  };
}
/**
 * Which runs there were.
 *
 * This interface was referenced by `ProfileCollated`'s JSON-Schema
 * via the `definition` "CollatedMetadata".
 */
export interface CollatedMetadata {
  /**
   * How the runs were put together.
   */
  readonly aggregation_type: 'detailed';
  /**
   * Runs that were made.
   */
  readonly num_profile_runs: number;
  /**
   * Runs that the figures are made of.
   */
  readonly num_successful_runs: number;
  /**
   * Runs that are left out, and why.
   */
  readonly failed_runs: readonly FailedRun[];
}
/**
 * A run that failed.
 *
 * This interface was referenced by `ProfileCollated`'s JSON-Schema
 * via the `definition` "FailedRun".
 */
export interface FailedRun {
  /**
   * Name of the run, such as run_0002.
   */
  readonly label: string;
  /**
   * Why it failed.
   */
  readonly error?: string | null;
}
/**
 * One metric over all requests, and run by run.
 *
 * This interface was referenced by `ProfileCollated`'s JSON-Schema
 * via the `definition` "CollatedMetric".
 */
export interface CollatedMetric {
  /**
   * Unit of the values in this block. AIPerf leaves it out.
   */
  readonly unit?: string;
  readonly combined: CollatedStats;
  /**
   * The same run by run, in the order of the runs.
   */
  readonly per_run: readonly RunStats[];
}
/**
 * Statistics of the requests of all runs.
 *
 * This interface was referenced by `ProfileCollated`'s JSON-Schema
 * via the `definition` "CollatedStats".
 */
export interface CollatedStats {
  /**
   * Mean.
   */
  readonly mean: number;
  /**
   * Sample standard deviation.
   */
  readonly std: number;
  /**
   * Percentile 50.
   */
  readonly p50: number;
  /**
   * Percentile 90.
   */
  readonly p90: number;
  /**
   * Percentile 95.
   */
  readonly p95: number;
  /**
   * Percentile 99.
   */
  readonly p99: number;
  /**
   * Requests that have a value.
   */
  readonly count: number;
}
/**
 * One run.
 *
 * This interface was referenced by `ProfileCollated`'s JSON-Schema
 * via the `definition` "RunStats".
 */
export interface RunStats {
  /**
   * Name of the run, such as run_0001.
   */
  readonly label: string;
  /**
   * Mean of its requests.
   */
  readonly mean: number;
  /**
   * Its requests that have a value.
   */
  readonly count: number;
}
