/** Caches short strings that repeat (keys, URLs, label values), so that each is sliced from the text only once. */
export class StringCache {
  readonly #slots: (string | undefined)[] = new Array(4096).fill(undefined);

  /**
   * Returns `text.slice(start, end)`.
   *
   * @param hash any hash of the string; equal strings must have the same one
   */
  get(text: string, start: number, end: number, hash: number): string {
    const length = end - start;
    if (length > 64) return text.slice(start, end);
    const slot = (hash ^ (hash >>> 12)) & 4095;
    const known = this.#slots[slot];
    if (known !== undefined && known.length === length && text.startsWith(known, start)) return known;
    const added = text.slice(start, end);
    this.#slots[slot] = added;
    return added;
  }
}
