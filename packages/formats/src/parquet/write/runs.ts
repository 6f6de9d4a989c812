/** Code of a null. */
export const NULL_CODE = -1;

/**
 * A column of a row group, stored as runs of equal dictionary codes. There are far fewer runs than rows:
 * labels and names repeat for thousands of rows, and the timestamp, sum and count of a histogram repeat for
 * all its buckets.
 */
export class Runs {
  codes: Int32Array = new Int32Array(1024);
  lengths: Int32Array = new Int32Array(1024);
  /** Number of runs. */
  size = 0;
  /** Number of rows. */
  rows = 0;
  /** Number of nulls. */
  nulls = 0;

  /** Adds `length` rows with a dictionary code, or nulls if it is NULL_CODE. */
  push(code: number, length: number): void {
    this.rows += length;
    if (code === NULL_CODE) this.nulls += length;
    const last = this.size - 1;
    if (last >= 0 && this.codes[last] === code) {
      this.lengths[last]! += length;
      return;
    }
    if (this.size === this.codes.length) this.#grow();
    this.codes[this.size] = code;
    this.lengths[this.size++] = length;
  }

  clear(): void {
    this.size = 0;
    this.rows = 0;
    this.nulls = 0;
  }

  #grow(): void {
    const codes = new Int32Array(this.codes.length * 2);
    const lengths = new Int32Array(this.codes.length * 2);
    codes.set(this.codes);
    lengths.set(this.lengths);
    this.codes = codes;
    this.lengths = lengths;
  }
}
