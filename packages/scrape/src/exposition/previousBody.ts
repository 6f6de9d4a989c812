/** Extra capacity, so that a slightly longer next body still fits. */
const GROWTH_FACTOR = 1.25;

/**
 * Keeps a copy of the last body of an endpoint in a reused buffer. Keeping the bodies themselves would
 * promote each of them to the old generation; at hundreds of scrapes per second, garbage collection then took
 * half of the time.
 */
export class PreviousBody {
  #buffer: Uint8Array = new Uint8Array(0);
  #bytes: Uint8Array = this.#buffer;

  /** The last body, valid until the next call of `keep`. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  keep(body: Uint8Array): void {
    const { length } = body;
    if (length > this.#buffer.length || length < this.#buffer.length / 4)
      this.#buffer = new Uint8Array(Math.ceil(length * GROWTH_FACTOR));
    this.#buffer.set(body);
    if (this.#bytes.length !== length || this.#bytes.buffer !== this.#buffer.buffer)
      this.#bytes = this.#buffer.subarray(0, length);
  }
}
