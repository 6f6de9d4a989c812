// Generated from urn:servelens:schema:results-ready:1.0 by scripts/generate.mjs. Do not edit.

/**
 * .aiperf_results_ready.json: written when all other files of the run are complete. Additional fields are accepted.
 */
export interface ResultsReady {
  /**
   * Whether the files are complete.
   */
  readonly ready: boolean;
  /**
   * Whether the run was interrupted.
   */
  readonly was_cancelled?: boolean;
  /**
   * Whether some of the files could not be written.
   */
  readonly partial?: boolean;
  /**
   * Phase in which the run ended. Absent if it finished.
   */
  readonly terminal_phase?: string;
  /**
   * Error that ended the run. Absent if it finished.
   */
  readonly terminal_error?: string;
  /**
   * Names of the exports that could not be written. Absent if there are none.
   */
  readonly failed_exporters?: readonly string[];
}
