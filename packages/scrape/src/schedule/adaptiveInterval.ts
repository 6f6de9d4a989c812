/**
 * Maximum interval that an increase may result in, in milliseconds. Ensures that even a short run has some
 * samples of a slow endpoint.
 */
const MAX_INTERVAL_MS = 10_000;
/** Number of consecutive quick scrapes that reduce the interval. */
const QUICK_SCRAPES = 4;

/** The effect of a scrape on the interval. */
export type IntervalChange = 'increased' | 'reduced';

/**
 * The adaptive scrape interval of one endpoint: scrapes are due at every tick or, while they take longer than
 * the interval, at every 2nd, 4th, 8th, ... tick. This limits the load of scrapes on a slow server.
 *
 * The interval doubles after each scrape that takes longer than it, up to 10 s. If four consecutive scrapes
 * each take less than half of the next shorter interval, the interval is reduced to the shortest one that is
 * more than twice the slowest of the four. The durations of failed scrapes count as well, except timeouts: if an
 * endpoint refuses connections, its scrapes are short and the interval returns to the base interval, so that a
 * recovery is detected promptly.
 */
export class AdaptiveInterval {
  /** The configured interval, in milliseconds. */
  readonly baseMs: number;
  /** The longest interval used so far, in milliseconds. */
  maxMs: number;
  /** Number of times the interval was increased. */
  increases = 0;
  #everyNth = 1;
  #quickCount = 0;
  /** The longest duration of the current series of quick scrapes, in milliseconds. */
  #maxQuickMs = 0;

  constructor(intervalMs: number) {
    this.baseMs = intervalMs;
    this.maxMs = intervalMs;
  }

  /** The current interval, in milliseconds. */
  get intervalMs(): number {
    return this.baseMs * this.#everyNth;
  }

  /** Returns how many of the ticks `first` to `last` (inclusive) are due for a scrape. */
  countDue(first: number, last: number): number {
    return Math.floor(last / this.#everyNth) - Math.floor((first - 1) / this.#everyNth);
  }

  /** Records the duration of a scrape, from the request to the last byte, in milliseconds. */
  recordDuration(durationMs: number): IntervalChange | undefined {
    if (durationMs > this.intervalMs) return this.#increaseInterval();
    if (!this.#canReduceFor(durationMs)) {
      this.#resetQuick();
      return undefined;
    }
    this.#quickCount++;
    this.#maxQuickMs = Math.max(this.#maxQuickMs, durationMs);
    if (this.#quickCount < QUICK_SCRAPES) return undefined;
    while (this.#canReduceFor(this.#maxQuickMs)) this.#everyNth /= 2;
    this.#resetQuick();
    return 'reduced';
  }

  /** Reports whether a shorter interval exists and a duration fits in half of it. */
  #canReduceFor(durationMs: number): boolean {
    return this.#everyNth > 1 && durationMs < this.intervalMs / 4;
  }

  #resetQuick(): void {
    this.#quickCount = 0;
    this.#maxQuickMs = 0;
  }

  #increaseInterval(): IntervalChange | undefined {
    this.#resetQuick();
    if (2 * this.intervalMs > MAX_INTERVAL_MS) return undefined;
    this.#everyNth *= 2;
    this.increases++;
    this.maxMs = Math.max(this.maxMs, this.intervalMs);
    return 'increased';
  }
}
