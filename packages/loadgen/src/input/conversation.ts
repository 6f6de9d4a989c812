/** A message that is sent in a conversation. */
export interface Turn {
  readonly text: string;
  /** Role of the message; `user` by default. */
  readonly role?: string;
  /** Length of the text in tokens, if known. */
  readonly tokens?: number;
  /** Maximum response length, in tokens. */
  readonly maxTokens?: number;
  /** Delay between the end of the previous response and this turn, in ms. */
  readonly delayMs?: number;
  /**
   * Send time in a fixed schedule, in ms since the start of the schedule; `delayMs` is then ignored. A turn is never sent before
   * the previous response has ended.
   */
  readonly atMs?: number;
  /** Model to use instead of the run's. */
  readonly model?: string;
}

/** Turns that are sent in sequence. */
export interface Conversation {
  readonly id: string;
  /** System message. */
  readonly system?: string;
  /** At least one turn. */
  readonly turns: readonly Turn[];
}

/** A source of conversations. The same index always gives the same conversation, byte for byte. */
export interface Inputs {
  /** Number of distinct conversations; undefined if unlimited. */
  readonly size: number | undefined;
  /** Start time of each conversation, in ms since the start of the phase, ascending; undefined if there are no timestamps. */
  readonly startsMs: readonly number[] | undefined;
  /** Returns a conversation by its index from 0. Indexes of `size` and above wrap around. */
  getConversation(index: number): Conversation;
}
