/** First and longest pause between two tries, in ms. */
const INITIAL_PAUSE_MS = 1000;
const LONGEST_MS = 30_000;

/** What has held for this long may fail anew: the pauses begin with the first again. */
const RESET_AFTER_MS = 60_000;

/** When to try again what has failed: after a second, then after twice as long each time, at most half a minute. */
export class RetryPolicy {
  readonly #now: () => number;
  #pauseMs = 0;
  #atMs = Number.NEGATIVE_INFINITY;

  /** `now` is a monotonic clock in ms. */
  constructor(now: () => number) {
    this.#now = now;
  }

  get isDue(): boolean {
    return this.#now() >= this.#atMs;
  }

  failed(): void {
    const now = this.#now();
    const calm = now - this.#atMs > RESET_AFTER_MS;
    this.#pauseMs = calm ? INITIAL_PAUSE_MS : Math.min(2 * this.#pauseMs, LONGEST_MS);
    this.#atMs = now + this.#pauseMs;
  }
}
