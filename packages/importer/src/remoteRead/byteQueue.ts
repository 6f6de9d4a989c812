/** Bytes that arrive in pieces of any size, and are taken in pieces of other sizes. */
export class ByteQueue {
  #parts: Uint8Array[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#parts.push(bytes);
    this.#length += bytes.length;
  }

  /** Returns the first bytes without removing them; fewer if the queue is shorter. */
  peek(count: number): Uint8Array {
    const [first] = this.#parts;
    if (first !== undefined && first.length >= count) return first.subarray(0, count);
    const joined = Buffer.concat(this.#parts);
    this.#parts = joined.length > 0 ? [joined] : [];
    return joined.subarray(0, count);
  }

  /** Removes and returns the first bytes. The queue must not be shorter. */
  take(count: number): Uint8Array {
    const bytes = this.peek(count);
    const first = this.#parts[0]!;
    if (first.length === count) this.#parts.shift();
    else this.#parts[0] = first.subarray(count);
    this.#length -= count;
    return bytes;
  }
}
