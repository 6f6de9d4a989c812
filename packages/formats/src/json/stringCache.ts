/**
 * A cache of short strings that occur repeatedly in a text, such as keys, URLs and label values. Avoids equal
 * copies in memory.
 */
export class StringCache {
  readonly #slots: (string | undefined)[] = new Array(4096).fill(undefined);

  /**
   * Returns `text.slice(start, end)`, from the cache if possible.
   *
   * @param hash hash of the string; any hash function can be used
   */
  get(text: string, start: number, end: number, hash: number): string {
    const length = end - start;
    if (length > 64) return text.slice(start, end);
    const slot = (hash ^ (hash >>> 12)) & 4095;
    const cached = this.#slots[slot];
    if (cached !== undefined && cached.length === length && text.startsWith(cached, start)) return cached;
    const sliced = text.slice(start, end);
    this.#slots[slot] = sliced;
    return sliced;
  }
}
