import { Buffer } from 'node:buffer';
import { CorruptionError } from './format.ts';

/** Exclusive upper bound of the integers that a varint can represent. */
const VARINT_LIMIT: number = 2 ** 53;

/** Exclusive upper bound of the absolute value of an integer that a zigzag varint can represent. */
export const ZIGZAG_LIMIT: number = 2 ** 52;

const LONE_SURROGATE = /\p{Surrogate}/u;

/** Writes little-endian values to a growing buffer. To reuse the buffer, set `length` to 0. */
export class ByteWriter {
  bytes: Uint8Array = new Uint8Array(1024);
  length = 0;
  #view = new DataView(this.bytes.buffer);

  /** Ensures space for `count` more bytes, for callers that write to `bytes` directly. */
  reserve(count: number): void {
    const needed = this.length + count;
    if (needed <= this.bytes.length) return;
    const largerBuffer = new Uint8Array(Math.max(needed, 2 * this.bytes.length));
    largerBuffer.set(this.bytes.subarray(0, this.length));
    this.bytes = largerBuffer;
    this.#view = new DataView(largerBuffer.buffer);
  }

  writeByte(value: number): void {
    this.reserve(1);
    this.bytes[this.length++] = value;
  }

  /**
   * Writes an integer, 0 <= value < 2^53, as a varint: seven bits per byte, lowest bits first. The eighth bit
   * of a byte is set if more bytes follow.
   */
  writeVarint(value: number): void {
    this.reserve(8);
    let remaining = value;
    for (; remaining >= 0x80; remaining = Math.floor(remaining / 0x80))
      this.bytes[this.length++] = (remaining % 0x80) | 0x80;
    this.bytes[this.length++] = remaining;
  }

  /**
   * Writes an integer with an absolute value below 2^52 as a zigzag varint: 0, -1, 1, -2, 2, ... become the
   * varints 0, 1, 2, 3, 4, ...
   */
  writeZigzag(value: number): void {
    this.writeVarint(value < 0 ? -2 * value - 1 : 2 * value);
  }

  writeDouble(value: number): void {
    this.reserve(8);
    this.#view.setFloat64(this.length, value, true);
    this.length += 8;
  }

  /** Writes a signed 64-bit integer. Throws a RangeError if the value exceeds 64 bits. */
  writeInt64(value: bigint): void {
    if (BigInt.asIntN(64, value) !== value) throw new RangeError(`cannot write ${value} into 64 bits`);
    this.reserve(8);
    this.#view.setBigInt64(this.length, value, true);
    this.length += 8;
  }

  /**
   * Writes a varint and the bytes of the text. The varint is twice the number of bytes, plus 1 if the
   * encoding is UTF-16 instead of UTF-8. UTF-16 is used for strings with lone surrogates.
   */
  writeText(value: string): void {
    const encoding = LONE_SURROGATE.test(value) ? 'utf16le' : 'utf8';
    const size = Buffer.byteLength(value, encoding);
    this.writeVarint(2 * size + (encoding === 'utf8' ? 0 : 1));
    this.reserve(size);
    Buffer.from(this.bytes.buffer).write(value, this.length, size, encoding);
    this.length += size;
  }
}

/**
 * Reads the output of a `ByteWriter`. Every method throws `CorruptionError` if the bytes are incomplete or
 * invalid.
 */
export class ByteReader {
  readonly bytes: Uint8Array;
  /** Offset of the next byte to read. */
  at = 0;
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Number of unread bytes. */
  get remainingBytes(): number {
    return this.bytes.length - this.at;
  }

  readByte(): number {
    if (this.at === this.bytes.length) throw new CorruptionError('a record ends too early');
    return this.bytes[this.at++]!;
  }

  readVarint(): number {
    let value = 0;
    let factor = 1;
    for (;;) {
      const byte = this.readByte();
      value += (byte & 0x7f) * factor;
      if (value >= VARINT_LIMIT) throw new CorruptionError('a varint is too large');
      if (byte < 0x80) return value;
      factor *= 0x80;
      if (factor > VARINT_LIMIT) throw new CorruptionError('a varint is too long');
    }
  }

  readZigzag(): number {
    const value = this.readVarint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  readDouble(): number {
    return this.#view.getFloat64(this.#skip(8), true);
  }

  readInt64(): bigint {
    return this.#view.getBigInt64(this.#skip(8), true);
  }

  readText(): string {
    const sizeAndEncoding = this.readVarint();
    const size = Math.floor(sizeAndEncoding / 2);
    const start = this.#skip(size);
    const bytes = Buffer.from(this.bytes.buffer, this.bytes.byteOffset + start, size);
    return bytes.toString(sizeAndEncoding % 2 === 0 ? 'utf8' : 'utf16le');
  }

  #skip(count: number): number {
    if (count > this.remainingBytes) throw new CorruptionError('a record ends too early');
    const start = this.at;
    this.at += count;
    return start;
  }
}
