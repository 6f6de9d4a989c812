import type { Message } from '../endpoint/endpoint.ts';
import type { Conversation, Turn } from '../input/conversation.ts';
import type { PhaseName } from '../requestRecord.ts';

/** A conversation in progress. */
export class Session {
  readonly conversation: Conversation;
  /** Number within the phase. */
  readonly number: number;
  readonly correlationId: string;
  /** Number of the current turn. */
  turn = 0;
  /** Tokens of all messages before the current turn; updated as turns are counted. */
  contextTokens: number | undefined;
  readonly #history: Message[] = [];

  constructor(conversation: Conversation, number: number, correlationId: string) {
    this.conversation = conversation;
    this.number = number;
    this.correlationId = correlationId;
    if (conversation.system !== undefined)
      this.#history.push({ role: 'system', content: conversation.system });
  }

  get current(): Turn {
    return this.conversation.turns[this.turn]!;
  }

  /** Returns the earlier messages and the current turn. */
  buildMessages(): Message[] {
    const { text, role = 'user' } = this.current;
    return [...this.#history, { role, content: text }];
  }

  /** Returns the texts of the current turn to count (in the first turn with the system message), and the tokens known already. */
  findUncounted(): { texts: string[]; known: number } {
    const { system } = this.conversation;
    const uncountedSystem = this.turn === 0 && system !== undefined ? [system] : [];
    const { text, tokens } = this.current;
    return tokens === undefined
      ? { texts: [...uncountedSystem, text], known: 0 }
      : { texts: uncountedSystem, known: tokens };
  }

  /** Adds the response to the history and moves to the next turn. Returns false after the last turn. */
  advance(response: string): boolean {
    if (this.turn + 1 >= this.conversation.turns.length) return false;
    const { text, role = 'user' } = this.current;
    this.#history.push({ role, content: text }, { role: 'assistant', content: response });
    this.turn += 1;
    return true;
  }
}

/** The current turn of a session, to be sent now. */
export interface ScheduledRequest {
  readonly phase: PhaseName;
  /** Number of the request within the phase. */
  readonly index: number;
  readonly session: Session;
  /** Intended send time, in ns of the run. */
  readonly intendedNs: number;
}
