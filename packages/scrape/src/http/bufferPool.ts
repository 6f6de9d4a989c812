/** Extra capacity, so that a slightly longer next body still fits. */
const GROWTH_FACTOR = 1.25;
/** Only a few scrapes are in flight at a time, except at barrier scrapes. */
const MAX_FREE_BUFFERS = 4;
/** Larger buffers are rare and not kept. */
const MAX_POOLED_BYTES = 4 << 20;

/**
 * Reuses the buffers that bodies are received into, across all endpoints. Without the pool, every scrape
 * would leave a large off-heap buffer behind, which V8 is slow to reclaim.
 */
export class BufferPool {
  readonly #free: Uint8Array[] = [];

  /** Returns an uninitialized buffer of at least `bytes` bytes. */
  take(bytes: number): Uint8Array {
    const index = this.#free.findIndex(({ length }) => length >= bytes);
    return index < 0
      ? Buffer.allocUnsafeSlow(Math.ceil(bytes * GROWTH_FACTOR))
      : this.#free.splice(index, 1)[0]!;
  }

  /** Returns a buffer to the pool. If the pool is full, the smallest buffer is dropped. */
  put(buffer: Uint8Array): void {
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
