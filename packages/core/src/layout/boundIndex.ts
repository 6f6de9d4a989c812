/**
 * The buckets of a histogram or the quantiles of a summary: looked up by their number, listed in ascending order.
 *
 * Servers nearly always show them in ascending order: then the list alone is enough, since a number beyond its end is new.
 * One may show a great many in any other order; from the first that comes out of order on a look-up is one step in a map,
 * and sorting waits until somebody asks.
 */
export class Parts<T> {
  readonly #order: (part: T) => number;
  #items: T[] = [];
  #isSorted = true;
  /** Made for the first part that comes out of order. */
  #byNumber: Map<number, T> | undefined;

  constructor(order: (part: T) => number) {
    this.#order = order;
  }

  get(number: number): T | undefined {
    return this.#byNumber ? this.#byNumber.get(number) : this.#search(number);
  }

  /** Takes a part whose number is not there yet. */
  add(part: T): void {
    const items = this.#items;
    const number = this.#order(part);
    if (items.length > 0 && this.#order(items[items.length - 1]!) > number) {
      this.#isSorted = false;
      this.#byNumber ??= new Map(items.map(item => [this.#order(item), item]));
    }
    items.push(part);
    this.#byNumber?.set(number, part);
  }

  /** All parts, ascending. Later additions may or may not show in a list that was handed out. */
  get sorted(): readonly T[] {
    if (!this.#isSorted) {
      this.#items = this.#items.toSorted((a, b) => this.#order(a) - this.#order(b));
      this.#isSorted = true;
    }
    return this.#items;
  }

  /** By halves, in a list that is sorted; what lies beyond the end, as most that is asked for, is found out first. */
  #search(number: number): T | undefined {
    const items = this.#items;
    let low = 0;
    let high = items.length - 1;
    if (high < 0 || number > this.#order(items[high]!)) return undefined;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#order(items[middle]!) < number) low = middle + 1;
      else high = middle;
    }
    return this.#order(items[low]!) === number ? items[low] : undefined;
  }
}
