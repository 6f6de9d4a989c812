/**
 * What slots are while they do not change: per slot a list of values, each from one chunk on. A slot that keeps its value
 * costs nothing, however many chunks there are. A slot of which nothing was said is absent (`NaN`).
 */
export class Constants {
  /** By slot: its last entry, -1 for none. */
  #last: Int32Array = new Int32Array(0);
  /** By slot: the value that it had when it was last constant without an entry. */
  #candidates: Float64Array = new Float64Array(0);
  #values: Float64Array = new Float64Array(64);
  #chunks: Int32Array = new Int32Array(64);
  /** By entry: the slot's entry before, -1 for none. */
  #before: Int32Array = new Int32Array(64);
  #length = 0;
  #isFrozen = false;

  get byteLength(): number {
    const bySlot = this.#last.byteLength + this.#candidates.byteLength;
    return bySlot + this.#values.byteLength + this.#chunks.byteLength + this.#before.byteLength;
  }

  /** Takes no new entries any more: what slots are from now on is for the chunks to keep. */
  freeze(): void {
    this.#isFrozen = true;
  }

  /**
   * Notes that a slot is constant in a chunk; chunks of one slot ascend. False when the chunk has to keep the value
   * itself: a new value gets its entry, which is larger, only when it is seen in a second chunk.
   */
  keep(slot: number, chunk: number, value: number): boolean {
    if (slot >= this.#last.length) this.#growSlots(slot + 1);
    const entry = this.#last[slot]!;
    const current = entry < 0 ? Number.NaN : this.#values[entry]!;
    if (Object.is(value, current)) return true;
    if (this.#isFrozen) return false;
    if (!Number.isNaN(value) && !Object.is(value, this.#candidates[slot]!)) {
      this.#candidates[slot] = value;
      return false;
    }
    this.#put(slot, chunk, value);
    return true;
  }

  /** What a slot is in the chunks in which it is constant, for chunks that are asked for in ascending order. */
  from(slot: number, chunk: number): (chunk: number) => number {
    const entries: number[] = [];
    let entry = slot < this.#last.length ? this.#last[slot]! : -1;
    for (; entry >= 0; entry = this.#before[entry]!) {
      entries.push(entry);
      if (this.#chunks[entry]! <= chunk) break;
    }
    let next = entries.length - 1;
    let value = Number.NaN;
    return asked => {
      while (next >= 0 && this.#chunks[entries[next]!]! <= asked) value = this.#values[entries[next--]!]!;
      return value;
    };
  }

  #put(slot: number, chunk: number, value: number): void {
    if (this.#length === this.#values.length) this.#growEntries();
    const entry = this.#length++;
    this.#values[entry] = value;
    this.#chunks[entry] = chunk;
    this.#before[entry] = this.#last[slot]!;
    this.#last[slot] = entry;
  }

  #growSlots(least: number): void {
    const length = Math.max(least, Math.ceil(this.#last.length * 1.5));
    this.#last = grown(this.#last, new Int32Array(length).fill(-1));
    this.#candidates = grown(this.#candidates, new Float64Array(length).fill(Number.NaN));
  }

  #growEntries(): void {
    const length = Math.ceil(this.#length * 1.5);
    this.#values = grown(this.#values, new Float64Array(length));
    this.#chunks = grown(this.#chunks, new Int32Array(length));
    this.#before = grown(this.#before, new Int32Array(length));
  }
}

function grown<T extends Float64Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
