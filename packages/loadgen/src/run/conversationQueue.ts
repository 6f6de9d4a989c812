import { setImmediate as waitForTurn } from 'node:timers/promises';
import type { Conversation, Inputs } from '../input/conversation.ts';
import type { PhaseOptions } from './loadOptions.ts';
import type { PhasePlan } from './phasePlan.ts';

/** Minimum and maximum number of conversations generated ahead. */
const MIN_READY = 16;
const MAX_READY = 256;
/** Maximum number of characters of the conversations generated ahead, so that long prompts do not fill the memory. */
const MAX_READY_CHARACTERS = 1 << 26;

/** The sessions assigned to a thread: `first`, `first + step`, and so on. */
export interface AssignedSessions {
  readonly first: number;
  readonly step: number;
}

/**
 * Generates conversations ahead of time, while the event loop is idle, so that generation does not delay
 * requests.
 */
export class ConversationQueue {
  readonly #generate: (session: number) => Conversation;
  readonly #assigned: AssignedSessions;
  readonly #size: number;
  #ready: Conversation[] = [];
  /** Session number of the first entry of `#ready`. */
  #next: number;
  /** Number of characters in `#ready`. */
  #characters = 0;
  #isRefilling = false;

  /** `slots` is the number of conversations that may be needed at once, `max` the number needed in total. */
  constructor(
    generate: (session: number) => Conversation,
    assigned: AssignedSessions,
    slots: number,
    max: number,
  ) {
    this.#generate = generate;
    this.#assigned = assigned;
    this.#next = assigned.first;
    this.#size = Math.min(max, Math.max(MIN_READY, Math.min(MAX_READY, slots)));
  }

  /**
   * Fills the queue, so that all initial sessions can start at once. The event loop turns after each conversation,
   * and an abort ends the generation.
   */
  async fill(signal?: AbortSignal): Promise<void> {
    while (!this.#isFull && !signal?.aborted) {
      this.#addNext();
      await waitForTurn();
    }
  }

  /** Returns the conversation of a session. */
  take(session: number): Conversation {
    // Conversations of sessions assigned to other threads are not generated ahead.
    if (session % this.#assigned.step !== this.#assigned.first) return this.#generate(session);
    while (this.#next < session) this.#removeFirst();
    const conversation = this.#removeFirst() ?? this.#generate(session);
    this.#refill();
    return conversation;
  }

  get #isFull(): boolean {
    return this.#ready.length >= this.#size || this.#characters >= MAX_READY_CHARACTERS;
  }

  #addNext(): void {
    const conversation = this.#generate(this.#next + this.#ready.length * this.#assigned.step);
    this.#ready.push(conversation);
    this.#characters += countCharacters(conversation);
  }

  #removeFirst(): Conversation | undefined {
    const conversation = this.#ready.shift();
    this.#next += this.#assigned.step;
    if (conversation) this.#characters -= countCharacters(conversation);
    return conversation;
  }

  /** Generates one conversation per turn of the event loop until the queue is full. */
  #refill(): void {
    if (this.#isRefilling || this.#isFull) return;
    this.#isRefilling = true;
    setImmediate(() => {
      this.#isRefilling = false;
      this.#addNext();
      this.#refill();
    });
  }
}

function countCharacters({ turns }: Conversation): number {
  return turns.reduce((sum, { text }) => sum + text.length, 0);
}

/**
 * Index of the warm-up's first conversation if inputs are unlimited. Profiling starts at 0 and never reaches
 * this index.
 */
export const WARMUP_OFFSET: number = 2 ** 32;

/**
 * Returns the conversation of a session of a phase whose conversations start at index `first`. Users send only the turns
 * that their schedule contains.
 */
export function getConversation(
  inputs: Pick<Inputs, 'getConversation'>,
  { users }: Pick<PhasePlan, 'users'>,
  first: number,
  session: number,
): Conversation {
  if (!users) return inputs.getConversation(first + session);
  const planned = users.get(session);
  const conversation = inputs.getConversation(first + planned.conversation);
  return planned.turns < conversation.turns.length
    ? { ...conversation, turns: conversation.turns.slice(0, planned.turns) }
    : conversation;
}

/**
 * Returns the index of the first conversation of a phase. Profiling uses the same conversations in each run
 * with the same options, even after a warm-up of a fixed duration. If there are enough inputs, the phases use
 * different conversations, because a server's prefix cache may contain the conversations of the warm-up.
 * `usedConversations` is the number used by the warm-up.
 */
export function findFirstConversation(
  { phase, isScheduled }: Pick<PhasePlan, 'phase' | 'isScheduled'>,
  { size }: Pick<Inputs, 'size'>,
  warmup: PhaseOptions | undefined,
  usedConversations: number,
): number {
  // The times of a schedule belong to specific conversations.
  if (isScheduled) return 0;
  if (size === undefined) return phase === 'warmup' ? WARMUP_OFFSET : 0;
  const isCounted = warmup?.requestCount !== undefined || warmup?.sessionCount !== undefined;
  if (isCounted) return usedConversations;
  return phase === 'warmup' ? Math.floor(size / 2) : 0;
}
