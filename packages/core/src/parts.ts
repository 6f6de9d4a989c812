/**
 * The buckets of a histogram or the quantiles of a summary: looked up by their number, listed in ascending order.
 *
 * A server may show a great many, in any order; a look-up is one step, and sorting waits until somebody asks.
 */
export class Parts<T> {
  readonly #order: (part: T) => number;
  readonly #byNumber = new Map<number, T>();
  #items: T[] = [];
  #isSorted = true;

  constructor(order: (part: T) => number) {
    this.#order = order;
  }

  get(number: number): T | undefined {
    return this.#byNumber.get(number);
  }

  add(part: T): void {
    const number = this.#order(part);
    const last = this.#items.at(-1);
    if (last !== undefined && this.#order(last) > number) this.#isSorted = false;
    this.#items.push(part);
    this.#byNumber.set(number, part);
  }

  /** All parts, ascending. Later additions may or may not show in a list that was handed out. */
  get sorted(): readonly T[] {
    if (!this.#isSorted) {
      this.#items = this.#items.toSorted((a, b) => this.#order(a) - this.#order(b));
      this.#isSorted = true;
    }
    return this.#items;
  }
}
