/** Counts the gaps between chunks, and the gaps of chunks that arrived together, in the same socket read. */
export class GapCounter {
  #gaps = 0;
  #coalesced = 0;

  /** Adds the gaps of one request, in ms. Values other than lists are ignored. */
  add(gaps: unknown): void {
    if (!Array.isArray(gaps)) return;
    this.#gaps += gaps.length;
    for (const gap of gaps) if (gap === 0) this.#coalesced += 1;
  }

  merge(other: GapCounter): void {
    this.#gaps += other.#gaps;
    this.#coalesced += other.#coalesced;
  }

  /** Share of the chunks after the first that arrived together with the chunk before; undefined if there are none. */
  get coalescedShare(): number | undefined {
    return this.#gaps === 0 ? undefined : this.#coalesced / this.#gaps;
  }
}
