/**
 * Aborts an exchange when its time limit expires or the outer signal is aborted. `end` removes the listener
 * from the outer signal, which lives as long as the run; `AbortSignal.any` would leak a little memory at
 * every scrape.
 */
export class Deadline {
  readonly #timer: NodeJS.Timeout;
  readonly #outer: AbortSignal | undefined;
  #onEnd: (() => void) | undefined;
  /** True if the time limit has expired. */
  hasTimedOut = false;
  /** True if the exchange was aborted, for either reason. */
  isAborted = false;

  constructor(timeoutMs: number, outer: AbortSignal | undefined) {
    this.#timer = setTimeout(() => {
      this.hasTimedOut = true;
      this.#abort();
    }, timeoutMs);
    this.#outer = outer;
    outer?.addEventListener('abort', this.#abort);
    if (outer?.aborted) this.#abort();
  }

  /**
   * Sets the action to run when the exchange is aborted, replacing any earlier action. If the exchange
   * was already aborted, it runs immediately.
   */
  set onEnd(action: () => void) {
    this.#onEnd = action;
    if (this.isAborted) action();
  }

  /** Must be called when the exchange has ended. */
  end(): void {
    clearTimeout(this.#timer);
    this.#outer?.removeEventListener('abort', this.#abort);
    this.#onEnd = undefined;
  }

  readonly #abort = (): void => {
    this.isAborted = true;
    this.#onEnd?.();
  };
}
