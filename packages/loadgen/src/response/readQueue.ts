import type { BodyReader } from './response.ts';

/** Longest time for which bytes are read at a stretch, ms: then sockets have their turn. */
const STRETCH_MS = 0.5;
/** Longest time for which a burst takes precedence, ms: what is put aside must not grow without end. */
const BURST_MS = 4;
/** What has been read is taken out of the queue when there is so much of it. */
const MOST_READ = 64;

/**
 * What has arrived and is still to be read. A burst of chunks on many connections is first stamped, and read when it is over:
 * reading makes the stamps of what is still to come late. As long as every turn of the event loop brings something new,
 * only one chunk is read in each.
 */
export class Backlog {
  #queue: (() => void)[] = [];
  #next = 0;
  /** Whether something has come since the last turn. */
  #isFresh = false;
  /** Until when a burst takes precedence, ms of the monotonic clock; undefined when nothing is to be read. */
  #burstEndMs: number | undefined;
  readonly #turn = (): void => {
    const now = performance.now();
    const isBurst = this.#isFresh && now < this.#burstEndMs!;
    this.#isFresh = false;
    this.#drain(isBurst ? now : now + STRETCH_MS);
    if (this.#next < this.#queue.length) setImmediate(this.#turn);
    else this.#clear();
  };

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
    this.#isFresh = true;
    if (this.#burstEndMs !== undefined) return;
    this.#burstEndMs = performance.now() + BURST_MS;
    setImmediate(this.#turn);
  }

  /** Reads until a time, ms of the monotonic clock, and one thing at least. */
  #drain(endMs: number): void {
    do this.#queue[this.#next++]!();
    while (this.#next < this.#queue.length && performance.now() < endMs);
    // What has been read must not stay in memory while there is always more to read.
    if (this.#next < MOST_READ) return;
    this.#queue.splice(0, this.#next);
    this.#next = 0;
  }

  #clear(): void {
    this.#queue = [];
    this.#next = 0;
    this.#burstEndMs = undefined;
  }
}
