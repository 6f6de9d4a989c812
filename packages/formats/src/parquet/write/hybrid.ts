import type { ByteSink } from '../bytes.ts';
import { NULL_CODE } from './runs.ts';

/** Returns the number of bits needed for codes below `size`: 0 if there is only one code. */
export function getBitWidth(size: number): number {
  return size <= 1 ? 0 : 32 - Math.clz32(size - 1);
}

/**
 * Encodes runs of codes in Parquet's hybrid of run-length encoding and bit packing (parquet-format 2.11,
 * Encodings.md, RLE = 3).
 *
 * Bit-packed runs contain complete groups of eight values. A long run of equal codes therefore first fills
 * the open group; the remaining codes are written with run-length encoding.
 */
export class HybridEncoder {
  readonly #sink: ByteSink;
  readonly #width: number;
  readonly #minRunLength: number;
  /** Values to be bit-packed. */
  #pending: Int32Array = new Int32Array(512);
  #pendingSize = 0;

  constructor(sink: ByteSink, width: number) {
    this.#sink = sink;
    this.#width = width;
    // Four bit-packed values of 10 to 20 bits take as many bytes as a run length plus the header of the next bit-packed
    // run. Narrower values need longer runs. Chosen by comparing minimums from 3 to 32 after Snappy compression.
    this.#minRunLength = width === 0 ? 1 : Math.max(4, Math.ceil(24 / width));
  }

  add(code: number, length: number): void {
    let remaining = length;
    const open = this.#pendingSize & 7;
    const fillLength = open === 0 ? 0 : 8 - open;
    if (remaining - fillLength >= this.#minRunLength) {
      this.#pack(code, fillLength);
      this.#flush();
      this.#repeat(code, remaining - fillLength);
      return;
    }
    while (remaining > 0) {
      const part = Math.min(remaining, this.#pending.length - this.#pendingSize);
      this.#pack(code, part);
      remaining -= part;
      if (this.#pendingSize === this.#pending.length) this.#flush();
    }
  }

  /** Writes pending values. The last group is padded with zeros, which readers ignore. */
  finish(): void {
    while ((this.#pendingSize & 7) !== 0) this.#pending[this.#pendingSize++] = 0;
    this.#flush();
  }

  #pack(code: number, length: number): void {
    const end = this.#pendingSize + length;
    for (let i = this.#pendingSize; i < end; i++) this.#pending[i] = code;
    this.#pendingSize = end;
  }

  #repeat(code: number, length: number): void {
    this.#sink.writeVarint(length * 2);
    this.#sink.writeLittleEndian(code, Math.ceil(this.#width / 8));
  }

  #flush(): void {
    const size = this.#pendingSize;
    if (size === 0) return;
    this.#sink.writeVarint((size / 8) * 2 + 1);
    packBits(this.#sink, this.#pending, size, this.#width);
    this.#pendingSize = 0;
  }
}

/** Packs `size` values (a multiple of eight) of `width` <= 24 bits, lowest bit first. */
function packBits(sink: ByteSink, values: Int32Array, size: number, width: number): void {
  sink.reserve((size / 8) * width);
  const bytes = sink.bytes;
  let at = sink.length;
  let bits = 0;
  let bitCount = 0;
  for (let i = 0; i < size; i++) {
    bits |= values[i]! << bitCount;
    bitCount += width;
    while (bitCount >= 8) {
      bytes[at++] = bits & 0xff;
      bits >>>= 8;
      bitCount -= 8;
    }
  }
  sink.length = at;
}

/**
 * Writes the definition levels of an optional flat column: 1 for rows with a value, 0 for nulls. Always uses run-length
 * encoding, because a column has a value in all rows of a series or in none.
 */
export function writeLevels(
  sink: ByteSink,
  codes: Int32Array,
  lengths: Int32Array,
  from: number,
  to: number,
): void {
  const start = sink.length;
  sink.writeLittleEndian(0, 4);
  let run = from;
  while (run < to) {
    const level = codes[run] === NULL_CODE ? 0 : 1;
    let length = 0;
    for (; run < to && (codes[run] === NULL_CODE ? 0 : 1) === level; run++) length += lengths[run]!;
    sink.writeVarint(length * 2);
    sink.writeByte(level);
  }
  sink.patchLength(start, sink.length - start - 4);
}
