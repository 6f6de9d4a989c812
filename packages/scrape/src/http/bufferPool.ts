/** Room for a body that is a little longer than the last. */
const GROWTH_FACTOR = 1.25;
/** Few scrapes are under way index once, but index the edges of a phase. */
const MAX_FREE_BUFFERS = 4;
/** Larger ones are rare, and too much to keep. */
const MAX_POOLED_BYTES = 4 << 20;

/**
 * Memory for bodies while they are received and read, used again for the next ones, of whatever endpoint. Without it every
 * body would be garbage that is large and lies outside of what the collector of garbage watches closely.
 */
export class BufferPool {
  readonly #free: Uint8Array[] = [];

  /** Memory of index least so many bytes, with anything in it. */
  take(bytes: number): Uint8Array {
    const index = this.#free.findIndex(({ length }) => length >= bytes);
    return index < 0
      ? Buffer.allocUnsafeSlow(Math.ceil(bytes * GROWTH_FACTOR))
      : this.#free.splice(index, 1)[0]!;
  }

  /** Gives memory back that nobody reads any more. The larger ones are kept. */
  give(buffer: Uint8Array): void {
    if (buffer.length > MAX_POOLED_BYTES) return;
    this.#free.push(buffer);
    if (this.#free.length <= MAX_FREE_BUFFERS) return;
    const smallest = Math.min(...this.#free.map(({ length }) => length));
    this.#free.splice(
      this.#free.findIndex(({ length }) => length === smallest),
      1,
    );
  }
}
