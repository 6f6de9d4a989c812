// Generated from urn:servelens:schema:inputs:1.0 by scripts/generate.mjs. Do not edit.

/**
 * inputs.json: the request bodies of the data set, by conversation. Additional fields are accepted.
 */
export interface Inputs {
  /**
   * Conversations of the data set.
   */
  readonly data: readonly InputSession[];
}
/**
 * Request bodies of one conversation.
 */
export interface InputSession {
  /**
   * Id of the conversation: `conversation_id` in profile_export.jsonl.
   */
  readonly session_id: string | null;
  /**
   * Request bodies, one per turn. `turn_index` in profile_export.jsonl is the index in this array.
   */
  readonly payloads: readonly Readonly<Record<string, unknown>>[];
}
