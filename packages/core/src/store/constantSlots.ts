/**
 * The values of slots that do not change within a chunk: for each slot a list of entries, each a value and
 * the first chunk that it applies to. A slot that keeps its value takes no additional space, whatever the
 * number of chunks. A slot without entries is absent (`NaN`).
 */
export class ConstantSlots {
  /** Index of the last entry by slot; -1 if there is none. */
  #last: Int32Array = new Int32Array(0);
  #values: Float64Array = new Float64Array(64);
  #chunks: Int32Array = new Int32Array(64);
  /** Index of the slot's previous entry by entry; -1 if there is none. */
  #previous: Int32Array = new Int32Array(64);
  #length = 0;
  #isFrozen = false;

  get byteLength(): number {
    return (
      this.#last.byteLength + this.#values.byteLength + this.#chunks.byteLength + this.#previous.byteLength
    );
  }

  /** Rejects new entries from now on. Chunks then store new values themselves. */
  freeze(): void {
    this.#isFrozen = true;
  }

  /**
   * Records that a slot is constant in a chunk. Calls for one slot must be in ascending order of chunks.
   * Returns false if the chunk must store the value itself.
   */
  record(slot: number, chunk: number, value: number): boolean {
    if (slot >= this.#last.length) this.#growSlots(slot + 1);
    const entry = this.#last[slot]!;
    const current = entry < 0 ? Number.NaN : this.#values[entry]!;
    if (Object.is(value, current)) return true;
    if (this.#isFrozen) return false;
    this.#append(slot, chunk, value);
    return true;
  }

  /**
   * Creates a function that returns the value of a slot in a chunk, starting at `chunk`. It must be called
   * with ascending chunks.
   */
  createReader(slot: number, chunk: number): (chunk: number) => number {
    const entries: number[] = [];
    let entry = slot < this.#last.length ? this.#last[slot]! : -1;
    for (; entry >= 0; entry = this.#previous[entry]!) {
      entries.push(entry);
      if (this.#chunks[entry]! <= chunk) break;
    }
    let next = entries.length - 1;
    let value = Number.NaN;
    return index => {
      while (next >= 0 && this.#chunks[entries[next]!]! <= index) value = this.#values[entries[next--]!]!;
      return value;
    };
  }

  #append(slot: number, chunk: number, value: number): void {
    if (this.#length === this.#values.length) this.#growEntries();
    const entry = this.#length++;
    this.#values[entry] = value;
    this.#chunks[entry] = chunk;
    this.#previous[entry] = this.#last[slot]!;
    this.#last[slot] = entry;
  }

  #growSlots(minLength: number): void {
    const length = Math.max(minLength, Math.ceil(this.#last.length * 1.5));
    this.#last = copyInto(new Int32Array(length).fill(-1), this.#last);
  }

  #growEntries(): void {
    const length = Math.ceil(this.#length * 1.5);
    this.#values = copyInto(new Float64Array(length), this.#values);
    this.#chunks = copyInto(new Int32Array(length), this.#chunks);
    this.#previous = copyInto(new Int32Array(length), this.#previous);
  }
}

function copyInto<T extends Float64Array | Int32Array>(target: T, source: T): T {
  target.set(source);
  return target;
}
