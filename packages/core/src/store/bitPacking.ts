/**
 * Writes bytes, variable-length integers, doubles and bits to a reusable buffer. After a sequence of bits,
 * call `align` before writing anything else.
 */
export class BitWriter {
  #bytes = new Uint8Array(1 << 16);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;
  /** Bits that do not fill a byte yet, the first bit lowest; fewer than 8 between calls. */
  #pending = 0;
  #pendingBits = 0;

  /** The number of bytes written. */
  get length(): number {
    return this.#length;
  }

  /** Discards everything written. */
  clear(): void {
    this.#length = 0;
  }

  /** Returns the bytes written so far, as a view that is valid until the next write. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Writes an unsigned byte. */
  byte(value: number): void {
    if (this.#length === this.#bytes.length) this.#grow();
    this.#bytes[this.#length++] = value;
  }

  /** Writes a signed integer of magnitude up to 2^52. Integers from -64 to 63 take one byte. */
  integer(value: number): void {
    let remaining = value < 0 ? -2 * value - 1 : 2 * value;
    while (remaining >= 128) {
      this.byte(128 | (remaining % 128));
      remaining = Math.floor(remaining / 128);
    }
    this.byte(remaining);
  }

  /** Writes a double in 8 bytes, little-endian. */
  double(value: number): void {
    if (this.#length + 8 > this.#bytes.length) this.#grow();
    this.#view.setFloat64(this.#length, value, true);
    this.#length += 8;
  }

  /** Writes the lowest `width` bits (0 to 32) of a value. */
  bits(value: number, width: number): void {
    if (width > 24) {
      this.bits(value & 0xffff, 16);
      this.bits(value >>> 16, width - 16);
      return;
    }
    let pending = this.#pending | (value << this.#pendingBits);
    let count = this.#pendingBits + width;
    while (count >= 8) {
      this.byte(pending & 255);
      pending >>>= 8;
      count -= 8;
    }
    this.#pending = pending;
    this.#pendingBits = count;
  }

  /** Ends a sequence of bits: the next write starts a new byte. */
  align(): void {
    if (this.#pendingBits > 0) this.byte(this.#pending);
    this.#pending = 0;
    this.#pendingBits = 0;
  }

  #grow(): void {
    const bytes = new Uint8Array(this.#bytes.length * 2);
    bytes.set(this.#bytes);
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer);
  }
}

const doubleBytes = new DataView(new ArrayBuffer(8));

/** Reads the output of a `BitWriter`, in the same order. */
export class BitReader {
  #bytes: Uint8Array = new Uint8Array(0);
  #at = 0;
  #pending = 0;
  #pendingBits = 0;

  /** Starts reading `bytes` at the index `at`. */
  open(bytes: Uint8Array, at: number): void {
    this.#bytes = bytes;
    this.#at = at;
    this.#pending = 0;
    this.#pendingBits = 0;
  }

  byte(): number {
    return this.#bytes[this.#at++]!;
  }

  integer(): number {
    let value = 0;
    let placeValue = 1;
    let byte = this.byte();
    while (byte >= 128) {
      value += (byte - 128) * placeValue;
      placeValue *= 128;
      byte = this.byte();
    }
    value += byte * placeValue;
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  double(): number {
    for (let at = 0; at < 8; at++) doubleBytes.setUint8(at, this.byte());
    return doubleBytes.getFloat64(0, true);
  }

  bits(width: number): number {
    if (width > 24) {
      const low = this.bits(16);
      return (low | (this.bits(width - 16) << 16)) >>> 0;
    }
    while (this.#pendingBits < width) {
      this.#pending |= this.#bytes[this.#at++]! << this.#pendingBits;
      this.#pendingBits += 8;
    }
    const value = this.#pending & ((1 << width) - 1);
    this.#pending >>>= width;
    this.#pendingBits -= width;
    return value;
  }

  /** Ends a sequence of bits: the next read starts at a new byte. */
  align(): void {
    this.#pending = 0;
    this.#pendingBits = 0;
  }
}
