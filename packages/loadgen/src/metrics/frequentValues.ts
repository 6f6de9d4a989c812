/** Values that are watched at a time: what makes up more than one in so many of all is among them. */
const MOST_VALUES = 1300;

/**
 * The values that occur often, in bounded memory: each that makes up more than 1 in {@link MOST_VALUES} of all is known, in
 * whatever order they come (Misra and Gries, "Finding repeated elements", Science of Computer Programming 2, 1982). Some others
 * may be known, too.
 */
export class FrequentValues {
  readonly #counts = new Map<number, number>();

  add(value: number): void {
    const count = this.#counts.get(value);
    if (count !== undefined || this.#counts.size < MOST_VALUES - 1) this.#counts.set(value, (count ?? 0) + 1);
    else this.#lessOfAll();
  }

  has(value: number): boolean {
    return this.#counts.has(value);
  }

  #lessOfAll(): void {
    for (const [value, count] of this.#counts) {
      if (count === 1) this.#counts.delete(value);
      else this.#counts.set(value, count - 1);
    }
  }
}
