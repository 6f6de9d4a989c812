/** A list of numbers that takes 8 bytes each. */
export class NumberColumn {
  #values = new Float64Array(256);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The stored numbers. Valid until the next change. */
  get values(): Float64Array {
    return this.#values.subarray(0, this.#length);
  }

  get(index: number): number {
    return this.#values[index]!;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const larger = new Float64Array(2 * this.#length);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#length++] = value;
  }

  /** Removes all numbers, but keeps the memory. */
  clear(): void {
    this.#length = 0;
  }
}
