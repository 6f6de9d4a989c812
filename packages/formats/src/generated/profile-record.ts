// Generated from urn:servelens:schema:profile-record:1.0 by scripts/generate.mjs. Do not edit.

/**
 * The HTTP exchange step by step; wall-clock times. Absent where it was not traced.
 *
 * This interface was referenced by `ProfileRecord`'s JSON-Schema
 * via the `definition` "TraceData".
 */
export type TraceData = {
  /**
   * What traced it: the name of the HTTP library.
   */
  readonly trace_type?: string;
  /**
   * When sending began.
   */
  readonly request_send_start_ns?: bigint | null;
  /**
   * Headers of the request, without secrets.
   */
  readonly request_headers?: {
    readonly [k: string]: string;
  } | null;
  /**
   * When the headers were sent.
   */
  readonly request_headers_sent_ns?: bigint | null;
  /**
   * Writes to the socket: time (ns since 1970) and size (bytes).
   */
  readonly request_chunks?: readonly (readonly [number | bigint, number | bigint])[];
  /**
   * When the last byte was sent.
   */
  readonly request_send_end_ns?: bigint | null;
  /**
   * Writes to the socket.
   */
  readonly request_chunks_count?: number | null;
  /**
   * What was sent.
   */
  readonly request_bytes_total?: number | null;
  /**
   * Status of the answer.
   */
  readonly response_status_code?: number | null;
  /**
   * Its reason phrase.
   */
  readonly response_reason?: string | null;
  /**
   * When the first byte of the body came.
   */
  readonly response_receive_start_ns?: bigint | null;
  /**
   * Headers of the answer.
   */
  readonly response_headers?: {
    readonly [k: string]: string;
  } | null;
  /**
   * When its headers were there.
   */
  readonly response_headers_received_ns?: bigint | null;
  /**
   * Reads from the socket: time (ns since 1970) and size (bytes).
   */
  readonly response_chunks?: readonly (readonly [number | bigint, number | bigint])[];
  /**
   * Reads from the socket.
   */
  readonly response_chunks_count?: number | null;
  /**
   * What was received.
   */
  readonly response_bytes_total?: number | null;
  /**
   * When the last byte came.
   */
  readonly response_receive_end_ns?: bigint | null;
  /**
   * When it failed.
   */
  readonly error_timestamp_ns?: bigint | null;
  /**
   * From sending began to last byte sent.
   */
  readonly sending_ns?: bigint | null;
  /**
   * From last byte sent to first byte of the body.
   */
  readonly waiting_ns?: bigint | null;
  /**
   * From first to last byte of the body.
   */
  readonly receiving_ns?: bigint | null;
  /**
   * From sending began to last byte of the body.
   */
  readonly duration_ns?: bigint | null;
  /**
   * When waiting for a connection began.
   */
  readonly connection_pool_wait_start_ns?: bigint | null;
  /**
   * When there was one.
   */
  readonly connection_pool_wait_end_ns?: bigint | null;
  /**
   * When connecting began.
   */
  readonly tcp_connect_start_ns?: bigint | null;
  /**
   * When the connection, with TLS, stood.
   */
  readonly tcp_connect_end_ns?: bigint | null;
  /**
   * When a connection was taken again.
   */
  readonly connection_reused_ns?: bigint | null;
  /**
   * When the address was known already.
   */
  readonly dns_cache_hit_ns?: bigint | null;
  /**
   * When it was not.
   */
  readonly dns_cache_miss_ns?: bigint | null;
  /**
   * When the address was asked for.
   */
  readonly dns_lookup_start_ns?: bigint | null;
  /**
   * When it was there.
   */
  readonly dns_lookup_end_ns?: bigint | null;
  /**
   * Address at our end.
   */
  readonly local_ip?: string | null;
  /**
   * Port at our end.
   */
  readonly local_port?: number | null;
  /**
   * Address of the server.
   */
  readonly remote_ip?: string | null;
  /**
   * Port of the server.
   */
  readonly remote_port?: number | null;
  /**
   * How long a connection was waited for.
   */
  readonly blocked_ns?: bigint | null;
  /**
   * How long the address took.
   */
  readonly dns_lookup_ns?: bigint | null;
  /**
   * How long connecting took, with TLS.
   */
  readonly connecting_ns?: bigint | null;
} | null;
/**
 * How the request failed; absent or null when it did not.
 *
 * This interface was referenced by `ProfileRecord`'s JSON-Schema
 * via the `definition` "RecordError".
 */
export type RecordError = {
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
} | null;

/**
 * One line of profile_export.jsonl: one request, what was measured of it, and how it failed. Aggregate and derived metrics are not in it. Fields that are not named here are accepted.
 */
export interface ProfileRecord {
  readonly metadata: RecordMetadata;
  /**
   * By tag: what was measured of this request. A failed one has few of them or none.
   */
  readonly metrics: {
    readonly [k: string]: MetricValue;
  };
  readonly trace_data?: TraceData;
  readonly error?: RecordError;
}
/**
 * Which request it was, and when.
 *
 * This interface was referenced by `ProfileRecord`'s JSON-Schema
 * via the `definition` "RecordMetadata".
 */
export interface RecordMetadata {
  /**
   * Number of the session in the run, from 0; with one turn a session the number of the request.
   */
  readonly session_num: number;
  /**
   * X-Request-ID of the request.
   */
  readonly x_request_id?: string | null;
  /**
   * X-Correlation-ID, the same for all turns of a session.
   */
  readonly x_correlation_id?: string | null;
  /**
   * Conversation of the dataset that was played.
   */
  readonly conversation_id?: string | null;
  /**
   * Number of the turn in its conversation, from 0.
   */
  readonly turn_index?: number | null;
  /**
   * When the schedule let the request go.
   */
  readonly credit_issued_ns?: bigint | null;
  /**
   * When the request was sent.
   */
  readonly request_start_ns: bigint;
  /**
   * When the server acknowledged it: the first byte of its answer.
   */
  readonly request_ack_ns?: bigint | null;
  /**
   * When its answer was complete, or when it failed.
   */
  readonly request_end_ns: bigint;
  /**
   * Worker that sent it.
   */
  readonly worker_id?: string | null;
  /**
   * What measured it.
   */
  readonly record_processor_id?: string | null;
  /**
   * Phase of the run: warmup, profiling, or the name of another.
   */
  readonly benchmark_phase: string;
  /**
   * True when it was cancelled on purpose.
   */
  readonly was_cancelled?: boolean;
  /**
   * When it was cancelled.
   */
  readonly cancellation_time_ns?: bigint | null;
  /**
   * False of a stream that ended without [DONE], finish_reason or usage, from a server that had said none of them in the run: it counts as answered, and may have been cut off. Absent otherwise.
   */
  readonly stream_finished?: boolean;
}
/**
 * A value with its unit.
 *
 * This interface was referenced by `ProfileRecord`'s JSON-Schema
 * via the `definition` "MetricValue".
 */
export interface MetricValue {
  /**
   * The value; a list where a request has several, such as the gaps between chunks.
   */
  readonly value: number | readonly number[];
  /**
   * Its unit, as in the aggregated exports.
   */
  readonly unit: string;
}
