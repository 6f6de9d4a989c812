import type { ServerResponse } from 'node:http';
import type { Arrivals } from './arrivals.ts';

/** Answers that are written to at a stretch: some 0.1 ms of work. */
const GROUP = 8;

/**
 * What is still to be done for answers. A step of the engine brings tokens for all running requests at once; writing them in one go would
 * keep the thread for milliseconds, in which a request that arrives would lie in its socket, unseen. They are written a few
 * at a time, in order, and in between the event loop reads what has come. So with requests that come many at once: first all are
 * seen, and then they are taken in.
 */
export class Outbox {
  readonly #arrivals: Arrivals;
  #queue: [ServerResponse, () => void][] = [];
  #next = 0;
  #armed = false;

  constructor(arrivals: Arrivals) {
    this.#arrivals = arrivals;
  }

  /** Has something done for an answer soon, unless its client is gone by then. */
  add(response: ServerResponse, write: () => void): void {
    this.#queue.push([response, write]);
    if (this.#armed) return;
    this.#armed = true;
    setImmediate(() => this.#flush());
  }

  #flush(): void {
    this.#arrivals.beginWork();
    const end = Math.min(this.#next + GROUP, this.#queue.length);
    while (this.#next < end) {
      const [response, write] = this.#queue[this.#next++]!;
      if (!response.destroyed) write();
    }
    if (this.#next < this.#queue.length) {
      setImmediate(() => this.#flush());
      return;
    }
    this.#queue = [];
    this.#next = 0;
    this.#armed = false;
  }
}
