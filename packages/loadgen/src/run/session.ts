import { listCountedTexts } from '../endpoint/contents.ts';
import type { Message } from '../endpoint/endpoint.ts';
import type { Conversation, Turn } from '../input/conversation.ts';
import type { PhaseName } from '../requestRecord.ts';

/** A conversation in progress. */
export class Session {
  readonly conversation: Conversation;
  /** Number of the session within the phase, from 0. */
  readonly number: number;
  readonly correlationId: string;
  /** Number of the current turn, from 0. */
  turn = 0;
  /**
   * Number of tokens in all messages before the current turn; updated when the tokens of a turn have been
   * counted.
   */
  contextTokens: number | undefined;
  /** Intended send time of the current turn, in ns since the run's origin. */
  dueNs = 0;
  readonly #history: Message[] = [];

  constructor(conversation: Conversation, number: number, correlationId: string) {
    this.conversation = conversation;
    this.number = number;
    this.correlationId = correlationId;
    if (conversation.system !== undefined)
      this.#history.push({ role: 'system', content: conversation.system });
    if (conversation.context !== undefined)
      this.#history.push({ role: 'user', content: conversation.context });
  }

  get current(): Turn {
    return this.conversation.turns[this.turn]!;
  }

  /** True if a turn is sent with the earlier messages. */
  get sendsHistory(): boolean {
    return this.conversation.sendsHistory !== false;
  }

  get isLastTurn(): boolean {
    return this.turn + 1 >= this.conversation.turns.length;
  }

  /** Returns the earlier messages, unless the current turn contains them, and the current turn. */
  buildMessages(): Message[] {
    return [...(this.current.isComplete === true ? [] : this.#history), toMessage(this.current)];
  }

  /**
   * Returns the texts of the current turn whose tokens must be counted, and the number of its tokens that need
   * no counting. The first turn, and each turn without history, includes the system message and the context.
   */
  findUncounted(): { texts: string[]; knownTokens: number } {
    const { system, context } = this.conversation;
    const uncounted =
      this.turn === 0 || !this.sendsHistory ? [system, context].filter(text => text !== undefined) : [];
    const { tokens } = this.current;
    return tokens === undefined
      ? { texts: [...uncounted, ...listCountedTexts(this.current)], knownTokens: 0 }
      : { texts: uncounted, knownTokens: tokens };
  }

  /** Adds the response to the history and advances to the next turn. Returns false if there is none. */
  advance(response: string): boolean {
    if (this.isLastTurn) return false;
    if (this.sendsHistory)
      this.#history.push(toMessage(this.current), { role: 'assistant', content: response });
    this.turn += 1;
    return true;
  }
}

/** Returns the message of a turn. */
export function toMessage({ text, role = 'user', contents }: Turn): Message {
  return { role, content: text, ...(contents && { contents }) };
}

/** A request to send now: the current turn of a session. */
export interface ScheduledRequest {
  readonly phase: PhaseName;
  /** Number of the request within the phase, from 0. */
  readonly index: number;
  readonly session: Session;
  /** Intended send time, in ns since the run's origin. */
  readonly intendedNs: number;
}
