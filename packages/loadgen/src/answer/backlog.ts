import type { BodyReader } from './answer.ts';

/** Longest time for which bytes are read at a stretch, ms: then sockets have their turn. */
const STRETCH_MS = 0.5;

/**
 * What has arrived and is still to be read. A burst of chunks on many connections is first stamped, one by one, and only
 * then read: reading one would make the stamps behind it late.
 */
export class Backlog {
  #queue: (() => void)[] = [];
  #next = 0;
  #armed = false;

  /** Puts bytes in the queue. */
  bytes(reader: BodyReader, atNs: number, bytes: Uint8Array): void {
    this.#push(() => reader.bytes(atNs, bytes));
  }

  /** Puts the end of a body in the queue: `done` is called when everything before it has been read. */
  end(reader: BodyReader, isComplete: boolean, done: () => void): void {
    this.#push(() => reader.end(isComplete, done));
  }

  #push(work: () => void): void {
    this.#queue.push(work);
    if (this.#armed) return;
    this.#armed = true;
    setImmediate(() => this.#drain());
  }

  #drain(): void {
    const endMs = performance.now() + STRETCH_MS;
    while (this.#next < this.#queue.length) {
      const work = this.#queue[this.#next]!;
      this.#next += 1;
      work();
      if (performance.now() > endMs) break;
    }
    if (this.#next < this.#queue.length) {
      // What has been read must not stay in memory while there is always more to read.
      this.#queue.splice(0, this.#next);
      this.#next = 0;
      setImmediate(() => this.#drain());
      return;
    }
    this.#queue = [];
    this.#next = 0;
    this.#armed = false;
  }
}
