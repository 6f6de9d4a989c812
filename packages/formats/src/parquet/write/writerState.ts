/** `busy`: a call is in progress. `failed`: a call failed, and only abort() is allowed. */
type State = 'open' | 'busy' | 'failed' | 'closed' | 'aborted';

/** Ensures that calls of a writer do not overlap, and that a closed or aborted writer is not used. */
export class WriterState {
  readonly #path: string;
  #state: State = 'open';

  /** @param path path of the output, for messages */
  constructor(path: string) {
    this.#path = path;
  }

  /** @throws {Error} if the writer is not open */
  assertOpen(): void {
    if (this.#state === 'open') return;
    const hint = this.#state === 'busy' ? '; await the previous call' : '';
    throw new Error(`cannot write to ${this.#path}: the writer is ${this.#state}${hint}`);
  }

  /**
   * Runs `work`. Until it ends, `assertOpen` throws. Sets the state to `nextState` afterwards, or to `failed`
   * on an error.
   */
  async runExclusively(work: () => Promise<void>, nextState: 'open' | 'closed' = 'open'): Promise<void> {
    this.#state = 'busy';
    try {
      await work();
    } catch (error) {
      this.#setState('failed');
      throw error;
    }
    this.#setState(nextState);
  }

  /** Changes the state, unless the writer was aborted meanwhile. */
  #setState(state: State): void {
    if (this.#state === 'busy') this.#state = state;
  }

  /** Aborts the writer. Returns false if it was already closed or aborted. */
  abort(): boolean {
    if (this.#state === 'closed' || this.#state === 'aborted') return false;
    this.#state = 'aborted';
    return true;
  }
}
