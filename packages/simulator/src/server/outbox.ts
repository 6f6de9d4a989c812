import type { ServerResponse } from 'node:http';

/** Answers that are written to at a stretch: some 0.1 ms of work. */
const GROUP = 8;

/**
 * What is still to be written. A step of the engine brings tokens for all running requests at once; writing them in one go would
 * keep the thread for milliseconds, in which a request that arrives would lie in its socket, unseen. They are written a few
 * at a time, in order, and in between the event loop reads what has come.
 */
export class Outbox {
  #queue: [ServerResponse, () => void][] = [];
  #next = 0;
  #armed = false;

  /** Has something written to an answer soon, unless its client is gone by then. */
  add(response: ServerResponse, write: () => void): void {
    this.#queue.push([response, write]);
    if (this.#armed) return;
    this.#armed = true;
    setImmediate(() => this.#flush());
  }

  #flush(): void {
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
