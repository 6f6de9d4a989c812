/** One thing that a user says. */
export interface Turn {
  readonly text: string;
  readonly role?: string;
  /** Tokens of the text, when whoever wrote it knows them. */
  readonly tokens?: number;
  /** Longest answer, tokens. */
  readonly maxTokens?: number;
  /** Between the end of the answer before and this turn, ms. */
  readonly delayMs?: number;
  /** When it is said in a fixed schedule, ms since its beginning; never before the answer before it. Then delayMs says nothing. */
  readonly atMs?: number;
  /** The model to ask, when it is not the run's. */
  readonly model?: string;
}

/** What one session says, turn by turn. */
export interface Conversation {
  readonly id: string;
  /** Said before the first turn, by the system. */
  readonly system?: string;
  /** At least one. */
  readonly turns: readonly Turn[];
}

/** Where conversations come from. The same number gives the same conversation, to the byte. */
export interface Inputs {
  /** How many there are; undefined without an end. */
  readonly size: number | undefined;
  /** When each begins, ms since the beginning of the phase, ascending; undefined for inputs that do not say. */
  readonly startsMs: readonly number[] | undefined;
  /** The `index`-th conversation, from 0; behind the last, the first follows again. */
  conversation(index: number): Conversation;
}
