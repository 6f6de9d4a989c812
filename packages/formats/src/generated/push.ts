// Generated from urn:servelens:schema:push:1.0 by scripts/generate.mjs. Do not edit.

/**
 * The values that were pushed to monitoring systems with `--push` or `servelens push`, and the values that were lost. Additional fields are accepted.
 */
export interface PushReport {
  /**
   * Version of this schema.
   */
  readonly schema_version: '1';
  /**
   * The IDs of the runs whose values were pushed.
   */
  readonly benchmark_ids: readonly string[];
  /**
   * The receivers, in the order of the options.
   */
  readonly receivers: readonly Receiver[];
  /**
   * Why the live values could not be read until the end of the run.
   */
  readonly problem?: string;
}
/**
 * A receiver, and what was sent to it. A histogram is one value.
 *
 * This interface was referenced by `PushReport`'s JSON-Schema
 * via the `definition` "Receiver".
 */
export interface Receiver {
  /**
   * The protocol.
   */
  readonly protocol: 'otlp' | 'otlp-json' | 'remote-write';
  /**
   * The version of remote write that was in use at the end.
   */
  readonly protocol_version?: string;
  /**
   * The URL, without secrets.
   */
  readonly url: string;
  /**
   * Values that the receiver accepted.
   */
  readonly sent_values: number;
  /**
   * Requests that were sent, including retries.
   */
  readonly requests: number;
  /**
   * Requests that were repeated, because the receiver was unreachable, slow or overloaded.
   */
  readonly retries: number;
  readonly lost_values: LostValues;
  /**
   * The last problem, without secrets. Absent if there was none.
   */
  readonly last_problem?: string;
}
/**
 * Values that were lost, by reason.
 */
export interface LostValues {
  /**
   * Values that were dropped because the queue was full.
   */
  readonly queue_full: number;
  /**
   * Values that the receiver did not accept.
   */
  readonly rejected: number;
  /**
   * Values that still waited when the time for sending them was over.
   */
  readonly undelivered: number;
}
/**
 * Values that were lost, by reason.
 *
 * This interface was referenced by `PushReport`'s JSON-Schema
 * via the `definition` "LostValues".
 */
export interface LostValues1 {
  /**
   * Values that were dropped because the queue was full.
   */
  readonly queue_full: number;
  /**
   * Values that the receiver did not accept.
   */
  readonly rejected: number;
  /**
   * Values that still waited when the time for sending them was over.
   */
  readonly undelivered: number;
}
