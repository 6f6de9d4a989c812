import type { Contents } from '../endpoint/contents.ts';

/** One turn of a conversation: the message to send, and when to send it. */
export interface Turn {
  readonly text: string;
  /** Contents of the message in addition to the text. */
  readonly contents?: Contents;
  /** Role of the message; `user` by default. */
  readonly role?: string;
  /** Length of all texts in tokens, if known. */
  readonly tokens?: number;
  /** Maximum response length, in tokens. */
  readonly maxTokens?: number;
  /** Delay between the end of the previous response and this turn, in ms. */
  readonly delayMs?: number;
  /**
   * Send time in a fixed schedule, in ms since the start of the schedule; takes precedence over `delayMs`. A
   * turn is never sent before the previous response has ended.
   */
  readonly atMs?: number;
  /** Model to use instead of the run's model. */
  readonly model?: string;
  /** Recorded request body to send unchanged; `text` is then only counted. */
  readonly payload?: Readonly<Record<string, unknown>>;
  /** Messages in the format of the API to send instead of `text`, if the API has messages. Later turns repeat them. */
  readonly messages?: readonly Readonly<Record<string, unknown>>[];
  /** Additional fields of the request body, which override all others of the same name. */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** True if the request must not repeat the earlier messages of the conversation, because the turn contains them. */
  readonly isComplete?: boolean;
}

/** A sequence of turns; each is sent after the response to the previous one. */
export interface Conversation {
  readonly id: string;
  /** System message. */
  readonly system?: string;
  /** User message that precedes the first turn in the same request. */
  readonly context?: string;
  /** False if each turn is sent without the earlier messages; true by default. */
  readonly sendsHistory?: boolean;
  /** At least one turn. */
  readonly turns: readonly Turn[];
  /** Conversations that start while this one is in progress, or at its end. */
  readonly branches?: readonly Branch[];
}

/** The turn of a branch that starts with the first turn of its conversation. */
export const BEFORE_FIRST_TURN = -1;

/** Conversations that start at the same time, because a turn of another conversation has ended. */
export interface Branch {
  /** Number of the turn, from 0, or `BEFORE_FIRST_TURN`. */
  readonly afterTurn: number;
  /** At least one conversation. A conversation may be part of several branches, but not of itself. */
  readonly conversations: readonly Conversation[];
  /** True if the conversations continue with the messages of the turn and its response. */
  readonly inheritsHistory: boolean;
  /** Number of the turn that waits until the conversations have ended; undefined if none does. */
  readonly joinTurn?: number;
}

/** A source of conversations. The same index always returns the same conversation, byte for byte. */
export interface Inputs {
  /** Number of distinct conversations; undefined if unlimited. */
  readonly size: number | undefined;
  /**
   * Start time of each conversation, in ms since the start of the phase, ascending; undefined if there are no
   * timestamps.
   */
  readonly startsMs: readonly number[] | undefined;
  /** Returns a conversation by its index from 0. Indexes of `size` and above wrap around. */
  getConversation(index: number): Conversation;
  /** Returns the number of turns of a conversation without generating it; absent if that is not faster. */
  countTurns?(index: number): number;
  /** Returns a conversation by its position from 0 in the source, below `size`. By default, the index is the position. */
  getEntry?(position: number): Conversation;
}
