// Generated from urn:servelens:schema:profile-collated:1.0.0 by scripts/generate.mjs. Do not edit.

/**
 * profile_export_aiperf_collated.json, schema 1.0.0: the requests of all runs as one population. Additional fields are accepted.
 */
export interface ProfileCollated {
  /**
   * Version of the file's layout.
   */
  readonly schema_version: '1.0.0';
  /**
   * Version of AIPerf that the file is compatible with. In files of AIPerf and of earlier versions of Servelens, the version of the program that wrote the file.
   */
  readonly aiperf_version?: string | null;
  /**
   * Version of Servelens that recorded the run. Absent if another program recorded it.
   */
  readonly servelens_version?: string;
  /**
   * Human-readable description of the file.
   */
  readonly description?: string | null;
  readonly metadata: CollatedMetadata;
  /**
   * Statistics by metric tag.
   */
  readonly metrics: {
    readonly [k: string]: CollatedMetric;
  };
}
/**
 * Runs that the file summarizes.
 *
 * This interface was referenced by `ProfileCollated`'s JSON-Schema
 * via the `definition` "CollatedMetadata".
 */
export interface CollatedMetadata {
  /**
   * Identifies the kind of document: `detailed`.
   */
  readonly aggregation_type: 'detailed';
  /**
   * Number of runs started.
   */
  readonly num_profile_runs: number;
  /**
   * Number of runs included in the statistics.
   */
  readonly num_successful_runs: number;
  /**
   * Failed runs, which are excluded from the statistics.
   */
  readonly failed_runs: readonly FailedRun[];
}
/**
 * A run that failed, and the cause.
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
   * Cause of the failure.
   */
  readonly error?: string | null;
}
/**
 * Statistics of one metric over all requests and per run.
 *
 * This interface was referenced by `ProfileCollated`'s JSON-Schema
 * via the `definition` "CollatedMetric".
 */
export interface CollatedMetric {
  /**
   * Unit of the values in this block. Absent in AIPerf's files.
   */
  readonly unit?: string;
  readonly combined: CollatedStats;
  /**
   * Statistics per run, in the order of the runs.
   */
  readonly per_run: readonly RunStats[];
}
/**
 * Statistics over the requests of all runs.
 *
 * This interface was referenced by `ProfileCollated`'s JSON-Schema
 * via the `definition` "CollatedStats".
 */
export interface CollatedStats {
  /**
   * Arithmetic mean.
   */
  readonly mean: number;
  /**
   * Sample standard deviation.
   */
  readonly std: number;
  /**
   * 50th percentile.
   */
  readonly p50: number;
  /**
   * 90th percentile.
   */
  readonly p90: number;
  /**
   * 95th percentile.
   */
  readonly p95: number;
  /**
   * 99th percentile.
   */
  readonly p99: number;
  /**
   * Number of requests that have a value.
   */
  readonly count: number;
}
/**
 * Statistics of one run.
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
   * Mean over the requests of the run.
   */
  readonly mean: number;
  /**
   * Number of requests of the run that have a value.
   */
  readonly count: number;
}
