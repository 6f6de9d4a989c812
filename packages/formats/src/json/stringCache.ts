/**
 * A cache of short strings that occur repeatedly in a text, such as keys, URLs and label values. Avoids equal
 * copies in memory.
 */
export class StringCache {
  readonly #copies: boolean;
  readonly #slots: (string | undefined)[] = new Array(4096).fill(undefined);

  /** @param copies whether to copy strings, because the text is a part of a document that is released after parsing */
  constructor(copies = false) {
    this.#copies = copies;
  }

  /**
   * Returns `text.slice(start, end)`, from the cache if possible.
   *
   * @param hash hash of the string; any hash function can be used
   */
  get(text: string, start: number, end: number, hash: number): string {
    const length = end - start;
    if (length > 64) return this.#slice(text, start, end);
    const slot = (hash ^ (hash >>> 12)) & 4095;
    const cached = this.#slots[slot];
    if (cached !== undefined && cached.length === length && text.startsWith(cached, start)) return cached;
    const sliced = this.#slice(text, start, end);
    this.#slots[slot] = sliced;
    return sliced;
  }

  /** Slices a string. In V8, a slice of 13 or more characters keeps the whole text in memory; a joined string does not. */
  #slice(text: string, start: number, end: number): string {
    if (!this.#copies || end - start < 13) return text.slice(start, end);
    return [text.slice(start, start + 1), text.slice(start + 1, end)].join('');
  }
}
