import type { Message } from '../endpoint/endpoint.ts';
import type { Conversation, Turn } from '../input/conversation.ts';

/** One conversation under way. */
export class Session {
  readonly conversation: Conversation;
  /** Number within the phase. */
  readonly number: number;
  readonly correlationId: string;
  /** The turn that is to be said next, or is being said. */
  turn = 0;
  /** Tokens of what has been said before this turn; set as they are counted, turn by turn. */
  contextTokens: number | undefined;
  readonly #said: Message[] = [];

  constructor(conversation: Conversation, number: number, correlationId: string) {
    this.conversation = conversation;
    this.number = number;
    this.correlationId = correlationId;
    if (conversation.system !== undefined) this.#said.push({ role: 'system', content: conversation.system });
  }

  get current(): Turn {
    return this.conversation.turns[this.turn]!;
  }

  /** What was said before, and the present turn. */
  messages(): Message[] {
    const { text, role = 'user' } = this.current;
    return [...this.#said, { role, content: text }];
  }

  /** Texts of this turn that have not been counted: the system's come with the first one. Known counts are added to them. */
  uncounted(): { texts: string[]; known: number } {
    const { system } = this.conversation;
    const before = this.turn === 0 && system !== undefined ? [system] : [];
    const { text, tokens } = this.current;
    return tokens === undefined ? { texts: [...before, text], known: 0 } : { texts: before, known: tokens };
  }

  /** Remembers the answer and goes on to the next turn; false when there is none. */
  advance(answer: string): boolean {
    if (this.turn + 1 >= this.conversation.turns.length) return false;
    const { text, role = 'user' } = this.current;
    this.#said.push({ role, content: text }, { role: 'assistant', content: answer });
    this.turn += 1;
    return true;
  }
}
