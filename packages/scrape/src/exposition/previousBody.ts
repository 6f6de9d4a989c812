/** Room for a body that is a little longer than the last. */
const GROWTH_FACTOR = 1.25;

/**
 * The last body of an endpoint, in memory that is used again for the next one. Holding on to the bodies themselves would let
 * each outlive the collection of young garbage: at hundreds of scrapes a second half of all time went into getting rid of them.
 */
export class PreviousBody {
  #buffer: Uint8Array = new Uint8Array(0);
  #bytes: Uint8Array = this.#buffer;

  /** The body that was kept last; until the next one is. */
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
