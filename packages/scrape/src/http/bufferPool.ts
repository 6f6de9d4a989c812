/** Ratio of a new buffer's capacity to the requested size, so that slightly longer bodies fit later. */
const GROWTH_FACTOR = 1.25;
/**
 * Maximum number of unused buffers. Except for barrier scrapes, only a few scrapes are in flight at a time.
 */
const MAX_FREE_BUFFERS = 4;
/** Maximum size of a buffer that is kept for reuse. Larger bodies are rare. */
const MAX_POOLED_BYTES = 4 << 20;

/**
 * A pool of the buffers that receive bodies, shared by all endpoints. Without it, every scrape would leave
 * behind a large off-heap buffer, which V8 is slow to reclaim.
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
