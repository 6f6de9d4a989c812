import { MOST_ROWS } from './columnCodec.ts';

/** How large the raw rows of an endpoint may become: 200 endpoints then hold 60 MB of them. */
const BLOCK_BYTES = 1 << 18;
/** Fewer rows would leave more of a chunk to what describes its columns than to their values. */
const LEAST_ROWS = 32;

/** The newest frames of an endpoint, as they came: rows of values that are not yet compressed. */
export class Block {
  #values: Float64Array = new Float64Array(0);
  /** Values per row: at least the slots of the layout. */
  #stride = 0;
  #capacity = 0;
  #rows = 0;

  get rows(): number {
    return this.#rows;
  }

  get byteLength(): number {
    return this.#values.byteLength;
  }

  get isFull(): boolean {
    return this.#rows > 0 && this.#rows === this.#capacity;
  }

  /** Adds a row; `slots` is how many the layout has by now. The block must not be full. */
  append(row: Float64Array, slots: number): void {
    if (slots > this.#stride) this.#widen(slots);
    const start = this.#rows++ * this.#stride;
    this.#values.set(row, start);
    this.#values.fill(Number.NaN, start + row.length, start + this.#stride);
  }

  /** Begins anew. */
  clear(): void {
    this.#rows = 0;
  }

  /**
   * Copies a column of the rows [from, to) into `into`, from a position on; what is not finite is absent, `NaN`.
   * Says whether all of them are the same, bit by bit.
   */
  column(slot: number, from: number, to: number, into: Float64Array, at: number): boolean {
    if (slot >= this.#stride) {
      into.fill(Number.NaN, at, at + to - from);
      return true;
    }
    const values = this.#values;
    const stride = this.#stride;
    const first = finite(values[from * stride + slot]!);
    let isConstant = true;
    for (let row = from, place = from * stride + slot; row < to; row++, place += stride) {
      const value = finite(values[place]!);
      into[at + row - from] = value;
      if (value !== first && !Object.is(value, first)) isConstant = false;
    }
    return isConstant && (first !== 0 || isOneZero(into, at, at + to - from));
  }

  #widen(slots: number): void {
    // Some room, since new series tend to come one after the other.
    const stride = Math.ceil((slots * 1.05) / 16) * 16;
    const capacity = Math.min(
      MOST_ROWS,
      Math.max(LEAST_ROWS, Math.floor(BLOCK_BYTES / 8 / stride), this.#rows + 1),
    );
    const values = new Float64Array(stride * capacity);
    for (let row = 0; row < this.#rows; row++) {
      const start = row * this.#stride;
      values.set(this.#values.subarray(start, start + this.#stride), row * stride);
      values.fill(Number.NaN, row * stride + this.#stride, (row + 1) * stride);
    }
    this.#values = values;
    this.#stride = stride;
    this.#capacity = capacity;
  }
}

function finite(value: number): number {
  return value - value === 0 ? value : Number.NaN;
}

/** 0 and -0 are equal but not the same. */
function isOneZero(values: Float64Array, from: number, to: number): boolean {
  for (let at = from + 1; at < to; at++) if (!Object.is(values[at], values[from])) return false;
  return true;
}
