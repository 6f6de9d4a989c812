// Generated from urn:servelens:schema:phase-manifest:1.0 by scripts/generate.mjs. Do not edit.

/**
 * phase_manifest.json, version 1: the phases of a run with a warm-up, and the files of each phase. Additional fields are accepted.
 */
export interface PhaseManifest {
  /**
   * Phases, in their order in the run.
   */
  readonly phases: readonly ManifestPhase[];
  /**
   * Version of the file's layout.
   */
  readonly schema_version: 1;
}
/**
 * A phase of the run.
 *
 * This interface was referenced by `PhaseManifest`'s JSON-Schema
 * via the `definition` "ManifestPhase".
 */
export interface ManifestPhase {
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
  readonly start_ns: bigint | null;
  /**
   * End of the phase.
   */
  readonly end_ns: bigint | null;
  /**
   * Whether the phase was interrupted.
   */
  readonly was_cancelled: boolean;
  /**
   * Number of successful requests.
   */
  readonly successful_request_count: number;
  /**
   * Number of failed requests.
   */
  readonly error_request_count: number;
  /**
   * Number of successful and failed requests.
   */
  readonly total_request_count: number;
  /**
   * Errors of the requests and their frequency.
   */
  readonly error_summary?: readonly ErrorCount[];
  /**
   * Path of the profile export of the phase, relative to the folder of the run.
   */
  readonly metrics_json?: string;
  /**
   * Path of the profile CSV of the phase, relative to the folder of the run.
   */
  readonly metrics_csv?: string;
  /**
   * Path of the server metrics of the phase, relative to the folder of the run.
   */
  readonly server_metrics_json?: string;
  /**
   * Path of the GPU telemetry of the phase, relative to the folder of the run.
   */
  readonly gpu_telemetry_json?: string;
}
/**
 * An error and the number of requests that failed with it.
 *
 * This interface was referenced by `PhaseManifest`'s JSON-Schema
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
