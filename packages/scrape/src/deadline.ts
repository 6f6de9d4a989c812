/**
 * Ends an exchange after its time, or when everything ends. It leaves nothing behind on the outer signal, which lives as
 * long as the run: `AbortSignal.any` would leave a little at every scrape.
 */
export class Deadline {
  readonly #controller: AbortController = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #outer: AbortSignal | undefined;
  /** Whether the time was over before the exchange was. */
  isOver = false;

  constructor(timeoutMs: number, outer: AbortSignal | undefined) {
    this.#timer = setTimeout(() => {
      this.isOver = true;
      this.#abort();
    }, timeoutMs);
    this.#outer = outer;
    outer?.addEventListener('abort', this.#abort);
    if (outer?.aborted) this.#abort();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** To be called when the exchange is over. */
  end(): void {
    clearTimeout(this.#timer);
    this.#outer?.removeEventListener('abort', this.#abort);
  }

  readonly #abort = (): void => this.#controller.abort();
}
