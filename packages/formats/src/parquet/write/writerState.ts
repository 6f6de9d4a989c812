/** `busy` while a call is under way; `failed` after the file system refused something, when only abort() is left. */
type State = 'open' | 'busy' | 'failed' | 'closed' | 'aborted';

/** Whether a writer may be called: one call at a time, and none after its end. */
export class WriterState {
  readonly #path: string;
  #state: State = 'open';

  /** @param path what is written, for messages */
  constructor(path: string) {
    this.#path = path;
  }

  /** @throws {Error} when the writer is not open */
  mustBeOpen(): void {
    if (this.#state === 'open') return;
    const hint = this.#state === 'busy' ? '; await the call before' : '';
    throw new Error(`cannot write to ${this.#path}: the writer is ${this.#state}${hint}`);
  }

  /** Keeps other calls out while `work` waits for the file, and for good when it fails. The writer is `then` after it. */
  async exclusively(work: () => Promise<void>, then: 'open' | 'closed' = 'open'): Promise<void> {
    this.#state = 'busy';
    try {
      await work();
    } catch (error) {
      this.#become('failed');
      throw error;
    }
    this.#become(then);
  }

  /** What was aborted meanwhile stays so. */
  #become(state: State): void {
    if (this.#state === 'busy') this.#state = state;
  }

  /** Ends the writer; false when it came to its end before. */
  abort(): boolean {
    if (this.#state === 'closed' || this.#state === 'aborted') return false;
    this.#state = 'aborted';
    return true;
  }
}
