import type { ArrivalTime } from '../http/socketReads.ts';
import type { BodyReader } from './response.ts';

/** Maximum time to parse in one turn of the event loop, in ms, before sockets are served again. */
const MAX_PARSE_MS = 0.5;
/** Maximum time for which timestamping has precedence over parsing, in ms. Bounds the queue in a burst. */
const MAX_BURST_MS = 4;
/** Number of parsed entries to collect before they are removed from the queue. */
const MAX_PARSED_ENTRIES = 64;

/**
 * Response bytes that have been timestamped and wait to be parsed. Parsing would delay the timestamps of the
 * next reads, so a burst of chunks on many connections is timestamped first and parsed afterwards: while every
 * turn of the event loop brings new bytes, only one entry is parsed per turn.
 */
export class ReadQueue {
  #queue: (() => void)[] = [];
  #next = 0;
  /** True if an entry was added since the last turn. */
  #hasNewEntry = false;
  /** When timestamping loses its precedence, in ms of the monotonic clock; undefined if the queue is empty. */
  #burstEndMs: number | undefined;
  readonly #turn = (): void => {
    const nowMs = performance.now();
    const isBurst = this.#hasNewEntry && nowMs < this.#burstEndMs!;
    this.#hasNewEntry = false;
    this.#drain(isBurst ? nowMs : nowMs + MAX_PARSE_MS);
    if (this.#next < this.#queue.length) setImmediate(this.#turn);
    else this.#clear();
  };

  /** Queues bytes of a body. Their arrival time is read when they are parsed. */
  addBytes(reader: BodyReader, arrival: ArrivalTime, bytes: Uint8Array): void {
    this.#push(() => reader.readBytes(arrival.atNs, bytes));
  }

  /** Queues the end of a body. `done` is called when the whole body has been parsed. */
  addEnd(reader: BodyReader, isComplete: boolean, done: () => void): void {
    this.#push(() => reader.end(isComplete, done));
  }

  #push(parse: () => void): void {
    this.#queue.push(parse);
    this.#hasNewEntry = true;
    if (this.#burstEndMs !== undefined) return;
    this.#burstEndMs = performance.now() + MAX_BURST_MS;
    setImmediate(this.#turn);
  }

  /** Parses at least one entry, then further entries until `endMs` on the monotonic clock. */
  #drain(endMs: number): void {
    do this.#queue[this.#next++]!();
    while (this.#next < this.#queue.length && performance.now() < endMs);
    // Remove parsed entries even if the queue never becomes empty.
    if (this.#next < MAX_PARSED_ENTRIES) return;
    this.#queue.splice(0, this.#next);
    this.#next = 0;
  }

  #clear(): void {
    this.#queue = [];
    this.#next = 0;
    this.#burstEndMs = undefined;
  }
}
