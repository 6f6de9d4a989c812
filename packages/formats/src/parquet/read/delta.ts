import { ParquetError } from '../error.ts';

/** Maximum number of strings in a delta-encoded page, because all of their lengths are kept in memory. */
const MAX_VALUES = 1 << 21;

/**
 * Decodes DELTA_BINARY_PACKED (parquet-format 2.11, Encodings.md, DELTA_ENC = 5) block by block. Sums wrap around at 64
 * bits, as specified.
 */
export class DeltaDecoder {
  /** Offset of the next unread byte. After the last value is read, this is the end of the encoded values. */
  at = 0;
  /** Number of values, as stated in the header. */
  readonly total: number;
  readonly #bytes: Uint8Array;
  readonly #perMiniblock: number;
  readonly #miniblocks: number;
  #readCount = 0;
  #value: bigint;
  #minDelta = 0n;
  #widths: Uint8Array = new Uint8Array(0);
  #miniblock = 0;
  #inMiniblock = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    const perBlock = Number(this.#readUnsigned());
    this.#miniblocks = Number(this.#readUnsigned());
    this.total = Number(this.#readUnsigned());
    this.#value = this.#readSigned();
    this.#perMiniblock = perBlock / this.#miniblocks;
    if (!(this.#perMiniblock > 0) || this.#perMiniblock % 8 !== 0 || this.#miniblocks > 1024) {
      throw new ParquetError(
        'page',
        `invalid delta blocks: ${perBlock} values in ${this.#miniblocks} miniblocks`,
      );
    }
    // Makes the first delta open a block.
    this.#miniblock = this.#miniblocks;
  }

  next(): bigint {
    if (this.#readCount === this.total)
      throw new ParquetError('page', `the page has only ${this.total} delta values`);
    if (this.#readCount++ > 0) this.#value = BigInt.asIntN(64, this.#value + this.#readDelta());
    if (this.#readCount === this.total) this.#leaveMiniblock();
    return this.#value;
  }

  #readDelta(): bigint {
    if (this.#miniblock === this.#miniblocks) this.#openBlock();
    const width = this.#widths[this.#miniblock]!;
    const delta = this.#minDelta + this.#readBits(this.at * 8 + this.#inMiniblock * width, width);
    if (++this.#inMiniblock === this.#perMiniblock) this.#leaveMiniblock();
    return delta;
  }

  #openBlock(): void {
    this.#minDelta = this.#readSigned();
    this.#widths = this.#bytes.subarray(this.at, this.at + this.#miniblocks);
    this.at += this.#miniblocks;
    if (this.at > this.#bytes.length || this.#widths.some(width => width > 64)) throw createTruncatedError();
    this.#miniblock = 0;
    this.#inMiniblock = 0;
  }

  /**
   * Skips the rest of a miniblock. Miniblocks are padded to their full length; miniblocks without values are
   * omitted.
   */
  #leaveMiniblock(): void {
    if (this.#miniblock === this.#miniblocks) return;
    if (this.#inMiniblock > 0) this.at += (this.#widths[this.#miniblock]! * this.#perMiniblock) / 8;
    this.#miniblock++;
    this.#inMiniblock = 0;
  }

  #readBits(from: number, width: number): bigint {
    if (from + width > this.#bytes.length * 8) throw createTruncatedError();
    let value = 0n;
    let bitsRead = 0;
    while (bitsRead < width) {
      const bit = from + bitsRead;
      const count = Math.min(8 - (bit & 7), width - bitsRead);
      const part = (this.#bytes[bit >>> 3]! >>> (bit & 7)) & ((1 << count) - 1);
      value |= BigInt(part) << BigInt(bitsRead);
      bitsRead += count;
    }
    return value;
  }

  #readUnsigned(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      if (this.at >= this.#bytes.length) throw createTruncatedError();
      const byte = this.#bytes[this.at++]!;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw createTruncatedError();
  }

  #readSigned(): bigint {
    const value = this.#readUnsigned();
    return BigInt.asIntN(64, (value >> 1n) ^ -(value & 1n));
  }
}

/** Decodes the lengths of byte arrays. Returns the lengths and the offset of their end. */
export function readLengths(bytes: Uint8Array): { lengths: Int32Array; end: number } {
  const decoder = new DeltaDecoder(bytes);
  if (decoder.total > MAX_VALUES) {
    throw new ParquetError('limit', `a page has ${decoder.total} delta values; the limit is ${MAX_VALUES}`);
  }
  const lengths = new Int32Array(decoder.total);
  for (let i = 0; i < lengths.length; i++) {
    const length = Number(decoder.next());
    if (length < 0 || length > 0x7fffffff)
      throw new ParquetError('page', `a string has a length of ${length} bytes`);
    lengths[i] = length;
  }
  return { lengths, end: decoder.at };
}

function createTruncatedError(): ParquetError {
  return new ParquetError('page', 'the deltas of a page are truncated');
}
