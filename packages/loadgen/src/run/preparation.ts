import type { Conversation } from '../input/conversation.ts';

/** Fewest and most conversations that lie ready. */
const FEWEST = 16;
const MOST = 256;

/** Writes conversations ahead of their time, when there is nothing else to do: writing one must not make its request late. */
export class Preparation {
  readonly #write: (index: number) => Conversation;
  readonly #size: number;
  #ready: Conversation[] = [];
  #taken = 0;
  #armed = false;

  /** `places`: how many may be wanted at once; `most`: how many there are at all. */
  constructor(write: (index: number) => Conversation, places: number, most: number) {
    this.#write = write;
    this.#size = Math.min(most, Math.max(FEWEST, Math.min(MOST, places)));
  }

  /** Writes as many as may be wanted at once. */
  fill(): void {
    while (this.#ready.length < this.#size) this.#ready.push(this.#write(this.#taken + this.#ready.length));
  }

  /** The next conversation. */
  take(): Conversation {
    const conversation = this.#ready.shift() ?? this.#write(this.#taken);
    this.#taken += 1;
    this.#arm();
    return conversation;
  }

  #arm(): void {
    if (this.#armed || this.#ready.length >= this.#size) return;
    this.#armed = true;
    setImmediate(() => {
      this.#armed = false;
      this.#ready.push(this.#write(this.#taken + this.#ready.length));
      this.#arm();
    });
  }
}
