import type { BodyReader } from './response.ts';

/** Maximum time to read in one turn of the event loop, in ms; then sockets get their turn. */
const MAX_STRETCH_MS = 0.5;
/** Maximum time to give stamping precedence over reading during a burst, in ms, so that the queue stays bounded. */
const MAX_BURST_MS = 4;
/** Number of read entries after which they are removed from the queue. */
const MAX_READ_ENTRIES = 64;

/**
 * Response bytes that have been timestamped and wait to be parsed. Parsing would delay the timestamps of the next reads, so a burst
 * of chunks on many connections is timestamped first and parsed afterwards: as long as every turn of the event loop brings new
 * bytes, only one entry is parsed per turn.
 */
export class ReadQueue {
  #queue: (() => void)[] = [];
  #next = 0;
  /** True if an entry was added since the last turn. */
  #isFresh = false;
  /** End of the precedence of a burst, in ms of the monotonic clock; undefined if the queue is empty. */
  #burstEndMs: number | undefined;
  readonly #turn = (): void => {
    const now = performance.now();
    const isBurst = this.#isFresh && now < this.#burstEndMs!;
    this.#isFresh = false;
    this.#drain(isBurst ? now : now + MAX_STRETCH_MS);
    if (this.#next < this.#queue.length) setImmediate(this.#turn);
    else this.#clear();
  };

  /** Queues bytes of a body. */
  addBytes(reader: BodyReader, atNs: number, bytes: Uint8Array): void {
    this.#push(() => reader.readBytes(atNs, bytes));
  }

  /** Queues the end of a body. `done` is called when everything before it has been read. */
  addEnd(reader: BodyReader, isComplete: boolean, done: () => void): void {
    this.#push(() => reader.end(isComplete, done));
  }

  #push(read: () => void): void {
    this.#queue.push(read);
    this.#isFresh = true;
    if (this.#burstEndMs !== undefined) return;
    this.#burstEndMs = performance.now() + MAX_BURST_MS;
    setImmediate(this.#turn);
  }

  /** Reads at least one entry, and more until `endMs` of the monotonic clock. */
  #drain(endMs: number): void {
    do this.#queue[this.#next++]!();
    while (this.#next < this.#queue.length && performance.now() < endMs);
    // Free entries that were read even if the queue never empties.
    if (this.#next < MAX_READ_ENTRIES) return;
    this.#queue.splice(0, this.#next);
    this.#next = 0;
  }

  #clear(): void {
    this.#queue = [];
    this.#next = 0;
    this.#burstEndMs = undefined;
  }
}
