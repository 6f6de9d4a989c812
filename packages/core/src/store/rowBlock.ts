import { MAX_ROWS } from './columnCodec.ts';

/**
 * Target size of an endpoint's uncompressed rows, in bytes; exceeded if `MIN_ROWS` rows are larger. For 200
 * endpoints, it adds up to 52 MB.
 */
const MAX_BLOCK_BYTES = 1 << 18;
/** Minimum number of rows. With fewer rows, column headers would take more space than values. */
const MIN_ROWS = 32;

/** The newest frames of an endpoint: uncompressed rows of values. */
export class RowBlock {
  #values: Float64Array = new Float64Array(0);
  /** Number of values per row; at least the number of slots of the layout. */
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

  /** Appends a row; `slots` is the current number of slots of the layout. The block must not be full. */
  append(row: Float64Array, slots: number): void {
    if (slots > this.#stride) this.#widen(slots);
    const start = this.#rows++ * this.#stride;
    this.#values.set(row, start);
    this.#values.fill(Number.NaN, start + row.length, start + this.#stride);
  }

  /** Removes all rows. */
  clear(): void {
    this.#rows = 0;
  }

  /**
   * Copies a column of the rows [from, to) to `into`, starting at index `at`. Values that are not finite
   * become `NaN`. Returns true if all copied values are bitwise equal.
   */
  copyColumn(slot: number, from: number, to: number, into: Float64Array, at: number): boolean {
    if (slot >= this.#stride) {
      into.fill(Number.NaN, at, at + to - from);
      return true;
    }
    const values = this.#values;
    const stride = this.#stride;
    const first = toFiniteOrNaN(values[from * stride + slot]!);
    let isConstant = true;
    for (let row = from, place = from * stride + slot; row < to; row++, place += stride) {
      const value = toFiniteOrNaN(values[place]!);
      into[at + row - from] = value;
      if (value !== first && !Object.is(value, first)) isConstant = false;
    }
    return isConstant && (first !== 0 || haveSameSign(into, at, at + to - from));
  }

  #widen(slots: number): void {
    // Reserve space for more slots, because new series often appear one by one.
    const stride = Math.ceil((slots * 1.05) / 16) * 16;
    const capacity = Math.min(
      MAX_ROWS,
      Math.max(MIN_ROWS, Math.floor(MAX_BLOCK_BYTES / 8 / stride), this.#rows + 1),
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

function toFiniteOrNaN(value: number): number {
  return value - value === 0 ? value : Number.NaN;
}

/** Reports whether zeros all have the same sign: 0 and -0 are equal, but not bitwise equal. */
function haveSameSign(values: Float64Array, from: number, to: number): boolean {
  for (let at = from + 1; at < to; at++) if (!Object.is(values[at], values[from])) return false;
  return true;
}
