/** Beyond this an interval does not grow, in ms: a run of minutes is to keep some samples of the slowest endpoint. */
const LONGEST_MS = 10_000;
/** So many quick scrapes in a row bring the interval a step back. */
const QUICK_SCRAPES = 4;

/** What a scrape changed about the pace. */
export type PaceChange = 'slower' | 'faster';

/**
 * How often an endpoint is scraped: every tick, or every 2nd, 4th, 8th, ... while its scrapes take longer than the time between
 * them. A server that is busy for longer than that with telling us is not measured but loaded.
 *
 * Twice the interval after each scrape that took longer than it, to at most 10 s; half of it again after four scrapes in a row
 * that took less than half of what it would become.
 */
export class Pace {
  /** The interval that was asked for, in ms. */
  readonly baseMs: number;
  /** The longest interval that there was, in ms. */
  longestMs: number;
  /** How often the interval was made longer. */
  backOffs = 0;
  #everyNth = 1;
  #quick = 0;

  constructor(intervalMs: number) {
    this.baseMs = intervalMs;
    this.longestMs = intervalMs;
  }

  /** The interval as it is now, in ms. */
  get intervalMs(): number {
    return this.baseMs * this.#everyNth;
  }

  /** How many of the ticks from `first` to `last`, both included, are for a scrape. */
  due(first: number, last: number): number {
    return Math.floor(last / this.#everyNth) - Math.floor((first - 1) / this.#everyNth);
  }

  /** A scrape took so long, in ms, from the request to the last byte. */
  took(durationMs: number): PaceChange | undefined {
    if (durationMs > this.intervalMs) return this.#slower();
    const isQuick = this.#everyNth > 1 && durationMs < this.intervalMs / 4;
    this.#quick = isQuick ? this.#quick + 1 : 0;
    if (this.#quick < QUICK_SCRAPES) return undefined;
    this.#quick = 0;
    this.#everyNth /= 2;
    return 'faster';
  }

  #slower(): PaceChange | undefined {
    this.#quick = 0;
    if (2 * this.intervalMs > LONGEST_MS) return undefined;
    this.#everyNth *= 2;
    this.backOffs++;
    this.longestMs = Math.max(this.longestMs, this.intervalMs);
    return 'slower';
  }
}
