/** Room for a body that is a little longer than the last. */
const SPARE = 1.25;
/** Few scrapes are under way at once, but at the edges of a phase. */
const MOST_ROOMS = 4;
/** Larger ones are rare, and too much to keep. */
const LARGEST = 4 << 20;

/**
 * Memory for bodies while they are received and read, used again for the next ones, of whatever endpoint. Without it every
 * body would be garbage that is large and lies outside of what the collector of garbage watches closely.
 */
export class Rooms {
  readonly #free: Uint8Array[] = [];

  /** Memory of at least so many bytes, with anything in it. */
  take(bytes: number): Uint8Array {
    const at = this.#free.findIndex(({ length }) => length >= bytes);
    return at < 0 ? Buffer.allocUnsafeSlow(Math.ceil(bytes * SPARE)) : this.#free.splice(at, 1)[0]!;
  }

  /** Gives memory back that nobody reads any more. The larger ones are kept. */
  give(room: Uint8Array): void {
    if (room.length > LARGEST) return;
    this.#free.push(room);
    if (this.#free.length <= MOST_ROOMS) return;
    const smallest = Math.min(...this.#free.map(({ length }) => length));
    this.#free.splice(
      this.#free.findIndex(({ length }) => length === smallest),
      1,
    );
  }
}
