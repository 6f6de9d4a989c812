/**
 * Aborts an exchange when its time limit expires or the signal of the run is aborted. `end` removes the
 * listener from that signal, because the signal outlives the exchange. `AbortSignal.any` is not used: it
 * leaks memory at every scrape.
 */
export class Deadline {
  readonly #timer: NodeJS.Timeout;
  readonly #runSignal: AbortSignal | undefined;
  #onAbort: (() => void) | undefined;
  /** True if the time limit has expired. */
  hasTimedOut = false;
  /** True if the exchange was aborted, by the time limit or by the signal. */
  isAborted = false;

  constructor(timeoutMs: number, runSignal: AbortSignal | undefined) {
    this.#timer = setTimeout(() => {
      this.hasTimedOut = true;
      this.#abort();
    }, timeoutMs);
    this.#runSignal = runSignal;
    runSignal?.addEventListener('abort', this.#abort);
    if (runSignal?.aborted) this.#abort();
  }

  /**
   * Sets the action to run when the exchange is aborted, replacing any earlier action. If the exchange is
   * already aborted, the action runs immediately.
   */
  set onAbort(action: () => void) {
    this.#onAbort = action;
    if (this.isAborted) action();
  }

  /** Stops the timer and removes the listener. Must be called when the exchange has ended. */
  end(): void {
    clearTimeout(this.#timer);
    this.#runSignal?.removeEventListener('abort', this.#abort);
    this.#onAbort = undefined;
  }

  readonly #abort = (): void => {
    this.isAborted = true;
    this.#onAbort?.();
  };
}
