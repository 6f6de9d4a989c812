/** Wakes a reader after a change. A change without a waiting reader wakes the next one. */
export class ChangeLatch {
  #isPending = false;
  #wake: (() => void) | undefined;

  notify(): void {
    this.#isPending = true;
    this.#wake?.();
  }

  /** Resolves after the next change, after `timeoutMs`, or when `signal` is aborted. */
  async wait(signal: AbortSignal, timeoutMs?: number): Promise<void> {
    if (!this.#isPending && !signal.aborted) await this.#waitForWake(signal, timeoutMs);
    this.#isPending = false;
  }

  async #waitForWake(signal: AbortSignal, timeoutMs: number | undefined): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    let wake = (): void => {};
    await new Promise<void>(resolve => {
      wake = resolve;
      this.#wake = wake;
      signal.addEventListener('abort', wake, { once: true });
      if (timeoutMs !== undefined) timer = setTimeout(wake, timeoutMs);
    });
    this.#wake = undefined;
    signal.removeEventListener('abort', wake);
    clearTimeout(timer);
  }
}
