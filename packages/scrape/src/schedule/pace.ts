/** Beyond this an interval does not grow, in ms: a run of minutes is to keep some samples of the slowest endpoint. */
const LONGEST_MS = 10_000;
/** So many quick scrapes in a row bring the interval back. */
const QUICK_SCRAPES = 4;

/** What a scrape changed about the pace. */
export type PaceChange = 'slower' | 'faster';

/**
 * How often an endpoint is scraped: every tick, or every 2nd, 4th, 8th, ... while its scrapes take longer than the time between
 * them. A server that is busy for longer than that with telling us is not measured but loaded.
 *
 * Twice the interval after each scrape that took longer than it, to at most 10 s. After four scrapes in a row that took less than
 * half of the next shorter one it comes back: to the shortest interval of which the longest of them is less than half. A scrape that
 * fails counts like any other, by how long the server was busy with it: an endpoint that refuses at once must not keep the pace of
 * one that was slow before, and be seen to be back late.
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
  /** The longest of the quick ones, in ms. */
  #quickMs = 0;

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
    if (!this.#canHalveFor(durationMs)) {
      this.#forgetQuick();
      return undefined;
    }
    this.#quick++;
    this.#quickMs = Math.max(this.#quickMs, durationMs);
    if (this.#quick < QUICK_SCRAPES) return undefined;
    while (this.#canHalveFor(this.#quickMs)) this.#everyNth /= 2;
    this.#forgetQuick();
    return 'faster';
  }

  /** Whether there is a shorter interval, and less than half of it was taken. */
  #canHalveFor(durationMs: number): boolean {
    return this.#everyNth > 1 && durationMs < this.intervalMs / 4;
  }

  #forgetQuick(): void {
    this.#quick = 0;
    this.#quickMs = 0;
  }

  #slower(): PaceChange | undefined {
    this.#forgetQuick();
    if (2 * this.intervalMs > LONGEST_MS) return undefined;
    this.#everyNth *= 2;
    this.backOffs++;
    this.longestMs = Math.max(this.longestMs, this.intervalMs);
    return 'slower';
  }
}
