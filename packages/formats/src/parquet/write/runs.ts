/** The code of a row that has no value. */
export const NULL_CODE = -1;

/**
 * A column of one row group as runs of equal dictionary codes. Labels and names repeat for thousands of rows, a
 * histogram's timestamp, sum and count for all its buckets, so that runs are far fewer than rows.
 */
export class Runs {
  codes: Int32Array = new Int32Array(1024);
  lengths: Int32Array = new Int32Array(1024);
  /** How many runs there are. */
  size = 0;
  /** How many rows they stand for. */
  rows = 0;
  /** How many of the rows have no value. */
  nulls = 0;

  /** Adds `length` rows with dictionary code `code`, or with no value when it is NULL_CODE. */
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
