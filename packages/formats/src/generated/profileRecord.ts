// Generated from urn:servelens:schema:profile-record:1.0 by scripts/generate.mjs. Do not edit.

/**
 * Timestamps of the HTTP exchange, in wall-clock time. Absent if the exchange was not traced.
 *
 * This interface was referenced by `ProfileRecord`'s JSON-Schema
 * via the `definition` "TraceData".
 */
export type TraceData = {
  /**
   * Name of the HTTP library that produced the trace.
   */
  readonly trace_type?: string;
  /**
   * Start of sending.
   */
  readonly request_send_start_ns?: bigint | null;
  /**
   * Headers of the request, with secrets redacted.
   */
  readonly request_headers?: {
    readonly [k: string]: string;
  } | null;
  /**
   * End of sending the headers.
   */
  readonly request_headers_sent_ns?: bigint | null;
  /**
   * Writes to the socket, each as time (ns since 1970) and size (bytes).
   */
  readonly request_chunks?: readonly (readonly [number | bigint, number | bigint])[];
  /**
   * End of sending, after the last byte.
   */
  readonly request_send_end_ns?: bigint | null;
  /**
   * Number of writes to the socket.
   */
  readonly request_chunks_count?: number | null;
  /**
   * Number of bytes sent.
   */
  readonly request_bytes_total?: number | null;
  /**
   * HTTP status of the response.
   */
  readonly response_status_code?: number | null;
  /**
   * Reason phrase of the response.
   */
  readonly response_reason?: string | null;
  /**
   * Time of the first byte of the response body.
   */
  readonly response_receive_start_ns?: bigint | null;
  /**
   * Headers of the response.
   */
  readonly response_headers?: {
    readonly [k: string]: string;
  } | null;
  /**
   * Arrival time of the response headers.
   */
  readonly response_headers_received_ns?: bigint | null;
  /**
   * Reads from the socket, each as time (ns since 1970) and size (bytes).
   */
  readonly response_chunks?: readonly (readonly [number | bigint, number | bigint])[];
  /**
   * Number of reads from the socket.
   */
  readonly response_chunks_count?: number | null;
  /**
   * Number of bytes received.
   */
  readonly response_bytes_total?: number | null;
  /**
   * Time of the last byte of the response body.
   */
  readonly response_receive_end_ns?: bigint | null;
  /**
   * Time of the error.
   */
  readonly error_timestamp_ns?: bigint | null;
  /**
   * Time from the start of sending to the last byte sent.
   */
  readonly sending_ns?: bigint | null;
  /**
   * Time from the last byte sent to the first byte of the response body.
   */
  readonly waiting_ns?: bigint | null;
  /**
   * Time from the first to the last byte of the response body.
   */
  readonly receiving_ns?: bigint | null;
  /**
   * Time from the start of sending to the last byte of the response body.
   */
  readonly duration_ns?: bigint | null;
  /**
   * Start of the wait for a connection.
   */
  readonly connection_pool_wait_start_ns?: bigint | null;
  /**
   * End of the wait for a connection.
   */
  readonly connection_pool_wait_end_ns?: bigint | null;
  /**
   * Start of connecting.
   */
  readonly tcp_connect_start_ns?: bigint | null;
  /**
   * End of connecting, TLS handshake included.
   */
  readonly tcp_connect_end_ns?: bigint | null;
  /**
   * Time at which an existing connection was reused.
   */
  readonly connection_reused_ns?: bigint | null;
  /**
   * Time of the DNS cache hit.
   */
  readonly dns_cache_hit_ns?: bigint | null;
  /**
   * Time of the DNS cache miss.
   */
  readonly dns_cache_miss_ns?: bigint | null;
  /**
   * Start of the DNS lookup.
   */
  readonly dns_lookup_start_ns?: bigint | null;
  /**
   * End of the DNS lookup.
   */
  readonly dns_lookup_end_ns?: bigint | null;
  /**
   * Client IP address.
   */
  readonly local_ip?: string | null;
  /**
   * Client port.
   */
  readonly local_port?: number | null;
  /**
   * Server IP address.
   */
  readonly remote_ip?: string | null;
  /**
   * Server port.
   */
  readonly remote_port?: number | null;
  /**
   * Duration of the wait for a connection.
   */
  readonly blocked_ns?: bigint | null;
  /**
   * Duration of the DNS lookup.
   */
  readonly dns_lookup_ns?: bigint | null;
  /**
   * Duration of connecting, TLS handshake included.
   */
  readonly connecting_ns?: bigint | null;
} | null;
/**
 * Speculative decoding of the request. Present if the server reported it.
 *
 * This interface was referenced by `ProfileRecord`'s JSON-Schema
 * via the `definition` "SpecDecodeAcceptance".
 */
export type SpecDecodeAcceptance = {
  /**
   * Kind of the server that reported the counts.
   */
  readonly engine?: string;
  /**
   * Mean number of tokens per step, including the token that the model adds.
   */
  readonly mean_acceptance_length?: number;
  /**
   * Accepted draft tokens as a fraction of the proposed ones.
   */
  readonly draft_acceptance_rate?: number;
  /**
   * Number of steps by number of accepted draft tokens. Numbers without steps are absent.
   */
  readonly acceptance_histogram: {
    readonly [k: string]: number;
  };
  /**
   * Draft tokens that the model accepted.
   */
  readonly num_accepted_draft_tokens: number;
  /**
   * Draft tokens that were proposed.
   */
  readonly num_draft_tokens: number;
  /**
   * Steps in which the model verified draft tokens.
   */
  readonly num_spec_steps: number;
  /**
   * Maximum number of draft tokens per step.
   */
  readonly num_spec_tokens?: number | null;
  /**
   * Tokens of the response, as reported by the server.
   */
  readonly completion_tokens?: number | null;
  /**
   * Accepted draft tokens of each step.
   */
  readonly per_step_accepted?: readonly number[] | null;
  /**
   * Proposed draft tokens of each step.
   */
  readonly per_step_drafted?: readonly number[] | null;
} | null;
/**
 * Error of a failed request. Null or absent if the request succeeded.
 *
 * This interface was referenced by `ProfileRecord`'s JSON-Schema
 * via the `definition` "RecordError".
 */
export type RecordError = {
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
 * A line of profile_export.jsonl: the measurements of one request. Metrics over several requests are not included. Additional fields are accepted.
 */
export interface ProfileRecord {
  readonly metadata: RecordMetadata;
  /**
   * Measurements of the request, by metric tag. A failed request has few or none.
   */
  readonly metrics: {
    readonly [k: string]: MetricValue;
  };
  readonly trace_data?: TraceData;
  readonly spec_decode_acceptance?: SpecDecodeAcceptance;
  readonly error?: RecordError;
}
/**
 * Identity and timestamps of the request.
 *
 * This interface was referenced by `ProfileRecord`'s JSON-Schema
 * via the `definition` "RecordMetadata".
 */
export interface RecordMetadata {
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
  /**
   * False if the stream ended without `[DONE]`, `finish_reason` or `usage`, and the server had not sent any of these before in the run. The request counts as successful, although the stream may have been truncated. Absent otherwise.
   */
  readonly stream_finished?: boolean;
  /**
   * The place of the URL that the request was sent to, from 0, in `input_config.endpoint.urls` of the profile export. Present if the run has several URLs. AIPerf uses the name for its requests, but does not write it.
   */
  readonly url_index?: number;
  /**
   * True if the server ended the response before the requested length. Absent otherwise.
   */
  readonly stopped_early?: boolean;
  readonly client_tokens?: ClientTokens;
}
/**
 * Token counts of the client. Present if the metrics use the counts of the server, and the source of token counts was chosen automatically.
 */
export interface ClientTokens {
  /**
   * Tokens of the prompt.
   */
  readonly input?: number;
  /**
   * Tokens of the response without reasoning.
   */
  readonly output?: number;
  /**
   * Reasoning tokens of the response.
   */
  readonly reasoning?: number;
}
/**
 * A value and its unit.
 *
 * This interface was referenced by `ProfileRecord`'s JSON-Schema
 * via the `definition` "MetricValue".
 */
export interface MetricValue {
  /**
   * The value, or a list of values if a request has several, such as the gaps between chunks.
   */
  readonly value: number | readonly number[];
  /**
   * Unit of the value, as in the aggregated exports.
   */
  readonly unit: string;
}
