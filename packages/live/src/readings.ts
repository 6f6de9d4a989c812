/** Number of readings that are kept: one per second, for the last minute. */
export const MAX_READINGS = 60;

/** The last readings of a value, oldest first. */
export class Readings<T> {
  readonly #items: T[] = [];

  /** Adds a reading, and drops the oldest one if there are too many. */
  add(item: T): void {
    this.#items.push(item);
    if (this.#items.length > MAX_READINGS) this.#items.shift();
  }

  get items(): readonly T[] {
    return this.#items;
  }

  get last(): T | undefined {
    return this.#items.at(-1);
  }
}
