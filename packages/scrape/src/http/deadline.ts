/**
 * Ends an exchange after its time, or when everything ends. It leaves nothing behind on the outer signal, which lives as
 * long as the run: `AbortSignal.any` would leave a little at every scrape.
 */
export class Deadline {
  readonly #timer: NodeJS.Timeout;
  readonly #outer: AbortSignal | undefined;
  #onEnd: (() => void) | undefined;
  /** Whether the time was over before the exchange was. */
  isOver = false;
  /** Whether the exchange was ended, for whichever reason. */
  isAborted = false;

  constructor(timeoutMs: number, outer: AbortSignal | undefined) {
    this.#timer = setTimeout(() => {
      this.isOver = true;
      this.#abort();
    }, timeoutMs);
    this.#outer = outer;
    outer?.addEventListener('abort', this.#abort);
    if (outer?.aborted) this.#abort();
  }

  /** What is to be done when the exchange is ended early; at once when it has been. In place of what was to be done before. */
  set onEnd(action: () => void) {
    this.#onEnd = action;
    if (this.isAborted) action();
  }

  /** To be called when the exchange is over. */
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
