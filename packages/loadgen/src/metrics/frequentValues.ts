/** Maximum number of candidate values. Every value that occurs more often than 1 in 1300 times is found. */
const MAX_CANDIDATES = 1300;

/**
 * Finds frequent values in bounded memory: all values that occur more often than 1 in 1300 times, regardless of
 * their order, and possibly some rarer values (Misra and Gries, "Finding repeated elements", Science of
 * Computer Programming 2, 1982).
 */
export class FrequentValues {
  readonly #counts = new Map<number, number>();

  add(value: number): void {
    const count = this.#counts.get(value);
    if (count !== undefined || this.#counts.size < MAX_CANDIDATES - 1)
      this.#counts.set(value, (count ?? 0) + 1);
    else this.#decrementAll();
  }

  has(value: number): boolean {
    return this.#counts.has(value);
  }

  #decrementAll(): void {
    for (const [value, count] of this.#counts) {
      if (count === 1) this.#counts.delete(value);
      else this.#counts.set(value, count - 1);
    }
  }
}
