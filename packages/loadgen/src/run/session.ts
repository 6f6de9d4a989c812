import { randomUUID } from 'node:crypto';
import { listCountedTexts } from '../endpoint/contents.ts';
import type { Message } from '../endpoint/endpoint.ts';
import { toFields, toText } from '../endpoint/responseFields.ts';
import { BEFORE_FIRST_TURN, type Branch, type Conversation, type Turn } from '../input/conversation.ts';
import type { PhaseName } from '../requestRecord.ts';

/** The session that another one branched off from. */
export interface SessionParent {
  readonly session: Session;
  /** The turn of the parent that waits for the end of the session; undefined if none does. */
  readonly joinTurn: number | undefined;
  /** The messages that the session continues. */
  readonly history: readonly Message[];
}

/** A conversation in progress. */
export class Session {
  readonly conversation: Conversation;
  /** Number of the session within the phase, from 0. Branches have the number of the session that they belong to. */
  readonly number: number;
  readonly correlationId: string;
  /** The session that this one branched off from. */
  readonly parent: SessionParent | undefined;
  /** Number of the current turn, from 0. */
  turn = 0;
  /** True if the current turn waits for the end of branches. */
  isWaiting = false;
  /**
   * Number of tokens in all messages before the current turn; updated when the tokens of a turn have been
   * counted.
   */
  contextTokens: number | undefined;
  /** Intended send time of the current turn, in ns since the run's origin. */
  dueNs = 0;
  /** Id of the response to the previous turn, if the server assigned one. */
  previousResponseId: string | undefined;
  readonly #history: Message[] = [];
  /** The number of branches that each turn waits for. */
  readonly #openBranches = new Map<number, number>();

  constructor(conversation: Conversation, number: number, correlationId: string, parent?: SessionParent) {
    this.conversation = conversation;
    this.number = number;
    this.correlationId = correlationId;
    this.parent = parent;
    if (parent) this.#history.push(...parent.history);
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

  /** True if the current turn must not be sent before branches have ended. */
  get isBlocked(): boolean {
    return (this.#openBranches.get(this.turn) ?? 0) > 0;
  }

  /** Returns the earlier messages, unless the current turn contains them, and the current turn. */
  buildMessages(): Message[] {
    return [...(this.current.isComplete === true ? [] : this.#history), toMessage(this.current)];
  }

  /** Returns the system message and the current turn, for a server that has stored the earlier messages. */
  buildNewMessages(): Message[] {
    const { system } = this.conversation;
    return [...(system === undefined ? [] : [{ role: 'system', content: system }]), toMessage(this.current)];
  }

  /**
   * Returns the texts of the current turn whose tokens must be counted, and the number of its tokens that need
   * no counting. The first turn, and each turn without history, includes the system message and the context.
   */
  findUncounted(): { texts: string[]; knownTokens: number } {
    const { system, context } = this.conversation;
    const inherited = this.turn === 0 ? (this.parent?.history.map(({ content }) => content) ?? []) : [];
    const uncounted =
      this.turn === 0 || !this.sendsHistory
        ? [...inherited, system, context].filter(text => text !== undefined)
        : [];
    const { tokens } = this.current;
    return tokens === undefined
      ? { texts: [...uncounted, ...listCountedTexts(this.current)], knownTokens: 0 }
      : { texts: uncounted, knownTokens: tokens };
  }

  /** Adds the response to the history and advances to the next turn. Returns false if there is none. */
  advance(response: string, responseId?: string): boolean {
    if (this.isLastTurn) return false;
    this.previousResponseId = responseId;
    if (this.sendsHistory)
      this.#history.push(...toMessages(this.current), { role: 'assistant', content: response });
    this.turn += 1;
    return true;
  }

  /** Creates the sessions that start with the first turn. */
  createEarlyBranches(): Session[] {
    return this.#createBranches(BEFORE_FIRST_TURN, []);
  }

  /** Creates the sessions that branch off after the current turn, with its response. */
  createBranches(response: string): Session[] {
    if (this.conversation.branches === undefined) return [];
    const answer = { role: 'assistant', content: response };
    return this.#createBranches(this.turn, [...this.#history, ...toMessages(this.current), answer]);
  }

  /** Counts a branch as ended. Returns true if the current turn waited for it, and is no longer blocked. */
  endBranch({ joinTurn }: SessionParent): boolean {
    if (joinTurn === undefined) return false;
    this.#openBranches.set(joinTurn, this.#openBranches.get(joinTurn)! - 1);
    if (!this.isWaiting || this.isBlocked) return false;
    this.isWaiting = false;
    return true;
  }

  #createBranches(afterTurn: number, history: readonly Message[]): Session[] {
    const branches = this.conversation.branches?.filter(branch => branch.afterTurn === afterTurn) ?? [];
    return branches.flatMap(branch => this.#createSessions(branch, history));
  }

  #createSessions(
    { conversations, inheritsHistory, joinTurn }: Branch,
    history: readonly Message[],
  ): Session[] {
    if (joinTurn !== undefined)
      this.#openBranches.set(joinTurn, (this.#openBranches.get(joinTurn) ?? 0) + conversations.length);
    const parent = { session: this, joinTurn, history: inheritsHistory ? history : [] };
    return conversations.map(conversation => new Session(conversation, this.number, randomUUID(), parent));
  }
}

/** Returns the message of a turn. */
export function toMessage({ text, role = 'user', contents }: Turn): Message {
  return { role, content: text, ...(contents && { contents }) };
}

/** Returns the messages of a turn, which may be in the format of the API. */
function toMessages(turn: Turn): Message[] {
  if (turn.messages === undefined) return [toMessage(turn)];
  return turn.messages.map(raw => ({ role: toText(raw.role), content: readText(raw.content), raw }));
}

/** Returns the text of a message in the format of the API: its content, or the texts of its parts. */
function readText(content: unknown): string {
  const parts = Array.isArray(content) ? content.map(part => toText(toFields(part).text)) : [toText(content)];
  return parts.filter(part => part !== '').join('\n');
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
