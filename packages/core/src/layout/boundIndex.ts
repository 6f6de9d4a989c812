/**
 * An index of a histogram's buckets by bound, or of a summary's quantiles.
 *
 * Servers nearly always expose bounds in ascending order, so a lookup is a binary search in a list. After the
 * first bound that is out of order, lookups use a map, and the list is sorted when it is read.
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

  /** Returns the item with a bound; undefined if there is none. */
  get(bound: number): T | undefined {
    return this.#byBound ? this.#byBound.get(bound) : this.#search(bound);
  }

  /** Adds an item. No other item may have the same bound. */
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

  /** All items in ascending order. Items added later may or may not appear in a list that was returned earlier. */
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
