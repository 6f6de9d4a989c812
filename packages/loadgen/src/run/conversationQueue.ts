import type { Conversation, Inputs } from '../input/conversation.ts';
import type { PhaseOptions } from './loadOptions.ts';
import type { PhasePlan } from './phasePlan.ts';

/** Minimum and maximum number of conversations generated ahead. */
const MIN_READY = 16;
const MAX_READY = 256;

/** The sessions dealt to a thread: `first`, `first + step`, and so on. */
export interface DealtSessions {
  readonly first: number;
  readonly step: number;
}

/** Generates conversations ahead of time, while the event loop is idle, so that generating one does not delay its request. */
export class ConversationQueue {
  readonly #generate: (session: number) => Conversation;
  readonly #dealt: DealtSessions;
  readonly #size: number;
  #ready: Conversation[] = [];
  /** Session of the first entry of `#ready`. */
  #next: number;
  #isRefilling = false;

  /** `slots` is the number of conversations that may be needed at once, `max` the number needed in total. */
  constructor(generate: (session: number) => Conversation, dealt: DealtSessions, slots: number, max: number) {
    this.#generate = generate;
    this.#dealt = dealt;
    this.#next = dealt.first;
    this.#size = Math.min(max, Math.max(MIN_READY, Math.min(MAX_READY, slots)));
  }

  /** Generates as many conversations as may be needed at once. */
  fill(): void {
    while (this.#ready.length < this.#size) this.#ready.push(this.#generateNext());
  }

  /** Returns the conversation of a session. */
  take(session: number): Conversation {
    // Sessions dealt to other threads are not generated ahead.
    if (session % this.#dealt.step !== this.#dealt.first) return this.#generate(session);
    while (this.#next < session) {
      this.#ready.shift();
      this.#next += this.#dealt.step;
    }
    const conversation = this.#ready.shift() ?? this.#generate(session);
    this.#next += this.#dealt.step;
    this.#refill();
    return conversation;
  }

  #generateNext(): Conversation {
    return this.#generate(this.#next + this.#ready.length * this.#dealt.step);
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

/** First conversation of the warm-up if inputs are unlimited; profiling, which starts at 0, never reaches it. */
export const WARMUP_OFFSET: number = 2 ** 32;

/**
 * Returns the index of the first conversation of a phase. Profiling uses the same conversations in each run with the same options,
 * even after a warm-up of a fixed duration. As far as inputs permit, the phases use different conversations, because the prefix
 * cache of a server may contain the conversations of the warm-up. `used` is the number of conversations used by the warm-up.
 */
export function findFirstConversation(
  { phase, isScheduled }: Pick<PhasePlan, 'phase' | 'isScheduled'>,
  { size }: Pick<Inputs, 'size'>,
  warmup: PhaseOptions | undefined,
  used: number,
): number {
  // The times of a schedule belong to its conversations.
  if (isScheduled) return 0;
  if (size === undefined) return phase === 'warmup' ? WARMUP_OFFSET : 0;
  const isCounted = warmup?.requestCount !== undefined || warmup?.sessionCount !== undefined;
  if (isCounted) return used;
  return phase === 'warmup' ? Math.floor(size / 2) : 0;
}
