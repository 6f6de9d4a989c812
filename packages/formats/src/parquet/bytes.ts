/** A growable byte buffer that is written sequentially and can be reused after `clear`. */
export class ByteSink {
  bytes: Uint8Array;
  length = 0;

  constructor(capacity = 1024) {
    this.bytes = new Uint8Array(capacity);
  }

  /** Ensures capacity for `count` more bytes. */
  reserve(count: number): void {
    const needed = this.length + count;
    if (needed <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, this.bytes.length * 2));
    grown.set(this.bytes.subarray(0, this.length));
    this.bytes = grown;
  }

  writeByte(value: number): void {
    this.reserve(1);
    this.bytes[this.length++] = value;
  }

  /** Writes an unsigned LEB128 integer below 2^32, as used in Parquet's run headers and Snappy's length prefix. */
  writeVarint(value: number): void {
    this.reserve(5);
    let remaining = value >>> 0;
    while (remaining > 0x7f) {
      this.bytes[this.length++] = (remaining & 0x7f) | 0x80;
      remaining >>>= 7;
    }
    this.bytes[this.length++] = remaining;
  }

  /** Writes the lowest `width` bytes of `value` in little-endian order. */
  writeLittleEndian(value: number, width: number): void {
    this.reserve(width);
    for (let i = 0; i < width; i++) this.bytes[this.length++] = (value >>> (8 * i)) & 0xff;
  }

  append(source: Uint8Array): void {
    this.reserve(source.length);
    this.bytes.set(source, this.length);
    this.length += source.length;
  }

  /** Overwrites the four bytes at offset `at` with `value` in little-endian order. */
  patchLength(at: number, value: number): void {
    for (let i = 0; i < 4; i++) this.bytes[at + i] = (value >>> (8 * i)) & 0xff;
  }

  /** Returns a view of the written bytes, valid until the next write. */
  view(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }

  clear(): void {
    this.length = 0;
  }
}
