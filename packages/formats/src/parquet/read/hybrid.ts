import { ParquetError } from '../error.ts';

/** Decodes Parquet's hybrid of run-length encoding and bit packing (parquet-format 2.11, Encodings.md, RLE = 3). */
export class HybridDecoder {
  readonly #bytes: Uint8Array;
  readonly #width: number;
  #at = 0;
  /** Remaining length and value of the current run of equal values. */
  #repeats = 0;
  #value = 0;
  /** Remaining length of the current bit-packed run, and the bit position of its next value. */
  #packed = 0;
  #bit = 0;

  /**
   * @param width bits per value
   * @throws {ParquetError} if `width` exceeds 32
   */
  constructor(bytes: Uint8Array, width: number) {
    if (width > 32) throw new ParquetError('page', `values have ${width} bits; the maximum is 32`);
    this.#bytes = bytes;
    this.#width = width;
  }

  /**
   * Reads the next `count` values into `out`, starting at index `from`.
   *
   * @throws {ParquetError} if there are fewer values
   */
  read(out: Int32Array | Uint8Array, from: number, count: number): void {
    let at = from;
    const end = from + count;
    while (at < end) {
      if (this.#repeats > 0) {
        const part = Math.min(this.#repeats, end - at);
        out.fill(this.#value, at, at + part);
        this.#repeats -= part;
        at += part;
      } else if (this.#packed > 0) {
        const part = Math.min(this.#packed, end - at);
        this.#unpack(out, at, part);
        this.#packed -= part;
        at += part;
      } else {
        this.#readHeader();
      }
    }
  }

  #readHeader(): void {
    const header = this.#readVarint();
    if (header % 2 === 0) {
      this.#repeats = header / 2;
      this.#value = 0;
      const width = Math.ceil(this.#width / 8);
      if (this.#at + width > this.#bytes.length) throw createTruncatedError();
      for (let i = 0; i < width; i++) this.#value |= this.#bytes[this.#at++]! << (8 * i);
    } else {
      const groups = (header - 1) / 2;
      this.#packed = groups * 8;
      this.#bit = this.#at * 8;
      // The last group need not be padded after its last value, so bounds are checked only for values that are read.
      this.#at = Math.min(this.#at + groups * this.#width, this.#bytes.length);
    }
    if (this.#repeats === 0 && this.#packed === 0) throw new ParquetError('page', 'a run has no values');
  }

  #readVarint(): number {
    let value = 0;
    for (let i = 0, factor = 1; i < 5; i++, factor *= 128) {
      if (this.#at >= this.#bytes.length) throw createTruncatedError();
      const byte = this.#bytes[this.#at++]!;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
    throw new ParquetError('page', 'the header of a run is longer than five bytes');
  }

  #unpack(out: Int32Array | Uint8Array, from: number, count: number): void {
    const bytes = this.#bytes;
    const width = this.#width;
    let bit = this.#bit;
    if (bit + count * width > bytes.length * 8) throw createTruncatedError();
    if (width > 24) {
      this.#unpackWide(out, from, count);
      return;
    }
    const mask = (1 << width) - 1;
    for (let i = from; i < from + count; i++) {
      const at = bit >>> 3;
      // Bytes after the end are undefined and count as 0; the mask removes their bits.
      const word = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
      out[i] = (word >>> (bit & 7)) & mask;
      bit += width;
    }
    this.#bit = bit;
  }

  #unpackWide(out: Int32Array | Uint8Array, from: number, count: number): void {
    for (let i = from; i < from + count; i++) {
      let value = 0;
      for (let bit = 0; bit < this.#width; bit++, this.#bit++) {
        value |= ((this.#bytes[this.#bit >>> 3]! >>> (this.#bit & 7)) & 1) << bit;
      }
      out[i] = value;
    }
  }
}

function createTruncatedError(): ParquetError {
  return new ParquetError('page', 'the codes or levels of a page are truncated');
}
