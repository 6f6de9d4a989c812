import type { Conversation, Inputs } from '../input/conversation.ts';
import type { PhaseOptions } from './loadOptions.ts';
import type { PhasePlan } from './phasePlan.ts';

/** Minimum and maximum number of conversations generated ahead. */
const MIN_READY = 16;
const MAX_READY = 256;

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

  /** Fills the queue, so that all initial sessions can start at once. */
  fill(): void {
    while (this.#ready.length < this.#size) this.#ready.push(this.#generateNext());
  }

  /** Returns the conversation of a session. */
  take(session: number): Conversation {
    // Conversations of sessions assigned to other threads are not generated ahead.
    if (session % this.#assigned.step !== this.#assigned.first) return this.#generate(session);
    while (this.#next < session) {
      this.#ready.shift();
      this.#next += this.#assigned.step;
    }
    const conversation = this.#ready.shift() ?? this.#generate(session);
    this.#next += this.#assigned.step;
    this.#refill();
    return conversation;
  }

  #generateNext(): Conversation {
    return this.#generate(this.#next + this.#ready.length * this.#assigned.step);
  }

  /** Generates one conversation per turn of the event loop until the queue is full. */
  #refill(): void {
    if (this.#isRefilling || this.#ready.length >= this.#size) return;
    this.#isRefilling = true;
    setImmediate(() => {
      this.#isRefilling = false;
      this.#ready.push(this.#generateNext());
      this.#refill();
    });
  }
}

/**
 * Index of the warm-up's first conversation if inputs are unlimited. Profiling starts at 0 and never reaches
 * this index.
 */
export const WARMUP_OFFSET: number = 2 ** 32;

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
