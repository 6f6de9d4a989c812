/** Initial and maximum pause between two tries, in milliseconds. */
const INITIAL_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 30_000;

/** After this time without a failure, the pause is reset, in milliseconds. */
const RESET_AFTER_MS = 60_000;

/**
 * Decides when to retry a failed operation: after one second, then twice as long each time, up to 30 seconds.
 */
export class RetryPolicy {
  readonly #now: () => number;
  #pauseMs = 0;
  #atMs = Number.NEGATIVE_INFINITY;

  /** `now` returns monotonic milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  get isDue(): boolean {
    return this.#now() >= this.#atMs;
  }

  recordFailure(): void {
    const now = this.#now();
    const isNewSeries = now - this.#atMs > RESET_AFTER_MS;
    this.#pauseMs = isNewSeries ? INITIAL_PAUSE_MS : Math.min(2 * this.#pauseMs, MAX_PAUSE_MS);
    this.#atMs = now + this.#pauseMs;
  }
}
