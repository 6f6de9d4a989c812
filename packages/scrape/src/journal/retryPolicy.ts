/** Pause after the first failure, in milliseconds. */
const INITIAL_PAUSE_MS = 1000;
/** Maximum pause between two tries, in milliseconds. */
const MAX_PAUSE_MS = 30_000;

/** Time without a failure after which the pause is reset, in milliseconds. */
const RESET_AFTER_MS = 60_000;

/**
 * Decides when to retry a failed operation. The pause is 1 s after the first failure and doubles with each
 * further failure, up to 30 s.
 */
export class RetryPolicy {
  readonly #nowMs: () => number;
  #pauseMs = 0;
  #retryAtMs = Number.NEGATIVE_INFINITY;

  /** `nowMs` returns the monotonic time, in milliseconds. */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** True if the operation may be retried now. */
  get isDue(): boolean {
    return this.#nowMs() >= this.#retryAtMs;
  }

  recordFailure(): void {
    const nowMs = this.#nowMs();
    const isNewSeries = nowMs - this.#retryAtMs > RESET_AFTER_MS;
    this.#pauseMs = isNewSeries ? INITIAL_PAUSE_MS : Math.min(2 * this.#pauseMs, MAX_PAUSE_MS);
    this.#retryAtMs = nowMs + this.#pauseMs;
  }
}
