// Generated from urn:servelens:schema:outputs:1.0 by scripts/generate.mjs. Do not edit.

/**
 * outputs.json, schema 1.0: the response text and latencies of each request of the profiling phase. Additional fields are accepted.
 */
export interface Outputs {
  /**
   * Version of the file's layout.
   */
  readonly schema_version: '1.0';
  /**
   * Requests, by session and turn.
   */
  readonly data: readonly Output[];
}
/**
 * Response of one request.
 */
export interface Output {
  /**
   * Number of the session, from 0.
   */
  readonly session_num: number;
  /**
   * Id of the conversation in the data set.
   */
  readonly conversation_id?: string | null;
  /**
   * Turn in the conversation, from 0.
   */
  readonly turn_index?: number | null;
  /**
   * Id of the request.
   */
  readonly x_request_id?: string | null;
  /**
   * Start of the request.
   */
  readonly request_start_ns: bigint;
  /**
   * End of the request.
   */
  readonly request_end_ns: bigint;
  /**
   * Values of the request by metric tag, in the unit of profile_export.jsonl.
   */
  readonly metrics: {
    readonly [k: string]: number;
  };
  /**
   * Text of the response. Null if there is none.
   */
  readonly response_text?: string | null;
}
