/**
 * A result that takes long to compute and changes all the time. It is computed again only if the last computation took less
 * than a share of the time since then, so that results that are fast to compute are always current.
 */
export class PacedResult<T> {
  readonly #maxShare: number;
  readonly #readMs: () => number;
  #last: { readonly value: T; readonly dueMs: number } | undefined;

  /**
   * @param maxShare maximum share of the time that computations take, such as 0.05
   * @param readMs monotonic clock, in milliseconds
   */
  constructor(maxShare: number, readMs: () => number) {
    this.#maxShare = maxShare;
    this.#readMs = readMs;
  }

  /** Returns the last result, or a new one if it is due. */
  get(compute: () => T): T {
    const startMs = this.#readMs();
    if (this.#last && startMs < this.#last.dueMs) return this.#last.value;
    const value = compute();
    const endMs = this.#readMs();
    this.#last = { value, dueMs: endMs + (endMs - startMs) / this.#maxShare };
    return value;
  }

  /** Makes the next call of `get` compute a new result. */
  reset(): void {
    this.#last = undefined;
  }
}
