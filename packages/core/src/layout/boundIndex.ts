/**
 * The buckets of a histogram by bound, or the quantiles of a summary by quantile.
 *
 * Servers nearly always expose them in ascending order: then a sorted list is enough for lookups. After the first one out of
 * order, lookups use a map, and the list is sorted when it is read.
 */
export class BoundIndex<T> {
  readonly #getBound: (item: T) => number;
  #items: T[] = [];
  #isSorted = true;
  /** Built when the first item arrives out of order. */
  #byBound: Map<number, T> | undefined;

  constructor(getBound: (item: T) => number) {
    this.#getBound = getBound;
  }

  get(bound: number): T | undefined {
    return this.#byBound ? this.#byBound.get(bound) : this.#search(bound);
  }

  /** Adds an item with a bound that no other item has. */
  add(item: T): void {
    const items = this.#items;
    const bound = this.#getBound(item);
    if (items.length > 0 && this.#getBound(items[items.length - 1]!) > bound) {
      this.#isSorted = false;
      this.#byBound ??= new Map(items.map(other => [this.#getBound(other), other]));
    }
    items.push(item);
    this.#byBound?.set(bound, item);
  }

  /** All items in ascending order. Items added later may or may not appear in a list returned before. */
  get sorted(): readonly T[] {
    if (!this.#isSorted) {
      this.#items = this.#items.toSorted((a, b) => this.#getBound(a) - this.#getBound(b));
      this.#isSorted = true;
    }
    return this.#items;
  }

  /** Searches a sorted list. Most lookups are for new bounds, which are beyond its end. */
  #search(bound: number): T | undefined {
    const items = this.#items;
    let low = 0;
    let high = items.length - 1;
    if (high < 0 || bound > this.#getBound(items[high]!)) return undefined;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#getBound(items[middle]!) < bound) low = middle + 1;
      else high = middle;
    }
    return this.#getBound(items[low]!) === bound ? items[low] : undefined;
  }
}
