// Generated from urn:servelens:schema:raw-record:1.0 by scripts/generate.mjs. Do not edit.

/**
 * Error of a failed request. Null or absent if the request succeeded.
 *
 * This interface was referenced by `RawRecord`'s JSON-Schema
 * via the `definition` "RawRecordError".
 */
export type RawRecordError = {
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
} | null;

/**
 * A line of profile_export_raw.jsonl: the request body and the response of one request, as sent and received. Additional fields are accepted.
 */
export interface RawRecord {
  readonly metadata: RawRecordMetadata;
  /**
   * Start of the request on the monotonic clock of the client.
   */
  readonly start_perf_ns?: bigint;
  /**
   * Headers of the request, with secrets redacted.
   */
  readonly request_headers?: {
    readonly [k: string]: string;
  } | null;
  /**
   * HTTP status of the response. Null if there was no response.
   */
  readonly status?: number | null;
  /**
   * Headers of the response.
   */
  readonly response_headers?: {
    readonly [k: string]: string;
  } | null;
  /**
   * Messages of the response, in their order.
   */
  readonly responses: readonly RawResponse[];
  readonly error?: RawRecordError;
  /**
   * Text that was added to the prompt to avoid the prefix cache.
   */
  readonly cache_bust_marker?: string | null;
  /**
   * Place of this text: system_prefix, system_suffix, first_turn_prefix or first_turn_suffix.
   */
  readonly cache_bust_target?: string | null;
  /**
   * Body of the request. Null for a request without a body.
   */
  readonly payload?: unknown;
}
/**
 * Identity and timestamps of the request.
 *
 * This interface was referenced by `RawRecord`'s JSON-Schema
 * via the `definition` "RawRecordMetadata".
 */
export interface RawRecordMetadata {
  /**
   * Index of the session in the run, from 0. For single-turn sessions, this is the index of the request.
   */
  readonly session_num: number;
  /**
   * X-Request-ID header of the request.
   */
  readonly x_request_id?: string | null;
  /**
   * X-Correlation-ID header, equal for all turns of a session.
   */
  readonly x_correlation_id?: string | null;
  /**
   * Identifier of the dataset's conversation that was replayed.
   */
  readonly conversation_id?: string | null;
  /**
   * Index of the turn in its conversation, from 0.
   */
  readonly turn_index?: number | null;
  /**
   * Id of the trace that the request was reconstructed from.
   */
  readonly source_trace_id?: string | null;
  /**
   * Index of the original request in its trace, from 0.
   */
  readonly source_outer_idx?: number | null;
  /**
   * Index within the nested requests of the original request, from 0.
   */
  readonly source_inner_idx?: number | null;
  /**
   * Kind of the original request, as given by the trace.
   */
  readonly source_kind?: string | null;
  /**
   * Release time of the request, set by the scheduler.
   */
  readonly credit_issued_ns?: bigint | null;
  /**
   * Send time of the request.
   */
  readonly request_start_ns: bigint;
  /**
   * Time of the first byte of the response.
   */
  readonly request_ack_ns?: bigint | null;
  /**
   * Completion time of the response, or time of the failure.
   */
  readonly request_end_ns: bigint;
  /**
   * Identifier of the worker that sent the request.
   */
  readonly worker_id?: string | null;
  /**
   * Identifier of the component that computed the record.
   */
  readonly record_processor_id?: string | null;
  /**
   * Phase of the run: `warmup`, `profiling`, or the name of another phase.
   */
  readonly benchmark_phase: string;
  /**
   * Index of the phase in the run, from 0.
   */
  readonly phase_index?: number | null;
  /**
   * Index of the phase among the profiling phases, from 0. Null or absent for a warm-up.
   */
  readonly profiling_index?: number | null;
  /**
   * Name of the phase.
   */
  readonly phase_name?: string | null;
  /**
   * Kind of the phase: warmup or profiling.
   */
  readonly phase_kind?: string | null;
  /**
   * Whether the request was cancelled intentionally.
   */
  readonly was_cancelled?: boolean;
  /**
   * Time of the cancellation.
   */
  readonly cancellation_time_ns?: bigint | null;
  /**
   * Whether the request is left out of the metrics because its prompt exceeded the model's context.
   */
  readonly context_overflow_skip?: boolean;
  /**
   * Depth of the session in the tree of an agentic session; 0 for other sessions.
   */
  readonly agent_depth?: number;
  /**
   * Correlation id of the session that started this session. Null or absent for a root session.
   */
  readonly parent_correlation_id?: string | null;
  /**
   * Correlation id of the root of the agentic session; for other sessions, of the session itself.
   */
  readonly root_correlation_id?: string | null;
}
/**
 * A message of the response: a server-sent event with `packets`, or a body with `text` or `raw_bytes`.
 *
 * This interface was referenced by `RawRecord`'s JSON-Schema
 * via the `definition` "RawResponse".
 */
export interface RawResponse {
  /**
   * Arrival time on the monotonic clock of the client.
   */
  readonly perf_ns: bigint;
  /**
   * Fields of a server-sent event.
   */
  readonly packets?: readonly RawPacket[];
  /**
   * Text of the body.
   */
  readonly text?: string;
  /**
   * Bytes of the body.
   */
  readonly raw_bytes?: string;
  /**
   * Content type of the body.
   */
  readonly content_type?: string | null;
}
/**
 * A field of a server-sent event.
 */
export interface RawPacket {
  /**
   * Name of the field: data, event, id, retry or comment.
   */
  readonly name: string;
  /**
   * Value of the field.
   */
  readonly value?: string | null;
}
