import type { Conversation } from '../input/conversation.ts';

/** Fewest and most conversations that lie ready. */
const FEWEST = 16;
const MOST = 256;

/** Which sessions a thread is dealt: `first`, `first + step`, ... */
export interface Dealt {
  readonly first: number;
  readonly step: number;
}

/** Writes conversations ahead of their time, when there is nothing else to do: writing one must not make its request late. */
export class Preparation {
  readonly #write: (session: number) => Conversation;
  readonly #dealt: Dealt;
  readonly #size: number;
  #ready: Conversation[] = [];
  /** The session of the first one that lies ready, or would. */
  #next: number;
  #armed = false;

  /** `places`: how many may be wanted at once; `most`: how many there are at all. */
  constructor(write: (session: number) => Conversation, dealt: Dealt, places: number, most: number) {
    this.#write = write;
    this.#dealt = dealt;
    this.#next = dealt.first;
    this.#size = Math.min(most, Math.max(FEWEST, Math.min(MOST, places)));
  }

  /** Writes as many as may be wanted at once. */
  fill(): void {
    while (this.#ready.length < this.#size) this.#ready.push(this.#following());
  }

  /** The conversation of a session. */
  take(session: number): Conversation {
    // One that was dealt to another thread.
    if (session % this.#dealt.step !== this.#dealt.first) return this.#write(session);
    while (this.#next < session) {
      this.#ready.shift();
      this.#next += this.#dealt.step;
    }
    const conversation = this.#ready.shift() ?? this.#write(session);
    this.#next += this.#dealt.step;
    this.#arm();
    return conversation;
  }

  #following(): Conversation {
    return this.#write(this.#next + this.#ready.length * this.#dealt.step);
  }

  #arm(): void {
    if (this.#armed || this.#ready.length >= this.#size) return;
    this.#armed = true;
    setImmediate(() => {
      this.#armed = false;
      this.#ready.push(this.#following());
      this.#arm();
    });
  }
}
