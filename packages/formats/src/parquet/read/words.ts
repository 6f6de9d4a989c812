import { ParquetError } from '../error.ts';
import { DeltaDecoder } from './delta.ts';
import {
  createCodeDecoder,
  createCodeError,
  createEncodingError,
  createTruncatedError,
  Encoding,
  isDictionaryEncoding,
} from './encoding.ts';
import type { HybridDecoder } from './hybrid.ts';

/** Decodes 64-bit values as pairs of 32-bit words, low word first. */
export interface WordDecoder {
  /** Reads `count` values into `out`, starting at value index `from`. */
  read(out: Int32Array, from: number, count: number): void;
}

/**
 * Creates a decoder for the 64-bit values of a page.
 *
 * @param dictionary words of the dictionary of the chunk, if it has one
 * @throws {ParquetError} if the encoding is not supported for 64-bit values
 */
export function createWordDecoder(
  encoding: number,
  body: Uint8Array,
  dictionary: Int32Array | undefined,
): WordDecoder {
  if (encoding === Encoding.PLAIN) return new PlainWords(body);
  if (isDictionaryEncoding(encoding)) return new DictionaryWords(body, dictionary);
  if (encoding === Encoding.DELTA_BINARY_PACKED) return new DeltaWords(body);
  if (encoding === Encoding.BYTE_STREAM_SPLIT) return new SplitWords(body);
  throw createEncodingError(encoding, 'PLAIN, dictionary, DELTA_BINARY_PACKED and BYTE_STREAM_SPLIT');
}

class PlainWords implements WordDecoder {
  readonly #body: Uint8Array;
  #at = 0;

  constructor(body: Uint8Array) {
    this.#body = body;
  }

  read(out: Int32Array, from: number, count: number): void {
    const end = this.#at + count * 8;
    if (end > this.#body.length) throw createTruncatedError();
    new Uint8Array(out.buffer, out.byteOffset + from * 8, count * 8).set(this.#body.subarray(this.#at, end));
    this.#at = end;
  }
}

class DictionaryWords implements WordDecoder {
  readonly #codes: HybridDecoder;
  readonly #dictionary: Int32Array;
  #scratch: Int32Array = new Int32Array(0);

  constructor(body: Uint8Array, dictionary: Int32Array | undefined) {
    if (!dictionary)
      throw new ParquetError('page', 'a page has dictionary codes, but its column chunk has no dictionary');
    this.#codes = createCodeDecoder(body);
    this.#dictionary = dictionary;
  }

  read(out: Int32Array, from: number, count: number): void {
    if (this.#scratch.length < count) this.#scratch = new Int32Array(count);
    const codes = this.#scratch;
    const dictionary = this.#dictionary;
    const size = dictionary.length / 2;
    this.#codes.read(codes, 0, count);
    for (let i = 0; i < count; i++) {
      const code = codes[i]! >>> 0;
      if (code >= size) throw createCodeError(code, size);
      out[2 * (from + i)] = dictionary[2 * code]!;
      out[2 * (from + i) + 1] = dictionary[2 * code + 1]!;
    }
  }
}

class DeltaWords implements WordDecoder {
  readonly #deltas: DeltaDecoder;

  constructor(body: Uint8Array) {
    this.#deltas = new DeltaDecoder(body);
  }

  read(out: Int32Array, from: number, count: number): void {
    const values = new BigInt64Array(out.buffer, out.byteOffset, out.length / 2);
    for (let i = from; i < from + count; i++) values[i] = this.#deltas.next();
  }
}

/** Decodes BYTE_STREAM_SPLIT: the lowest bytes of all values, then the second-lowest bytes, and so on. */
class SplitWords implements WordDecoder {
  readonly #body: Uint8Array;
  readonly #size: number;
  #next = 0;

  constructor(body: Uint8Array) {
    this.#body = body;
    this.#size = Math.floor(body.length / 8);
  }

  read(out: Int32Array, from: number, count: number): void {
    if (this.#next + count > this.#size) throw createTruncatedError();
    const bytes = new Uint8Array(out.buffer, out.byteOffset, out.byteLength);
    for (let byte = 0; byte < 8; byte++) {
      const stream = byte * this.#size + this.#next;
      for (let i = 0; i < count; i++) bytes[(from + i) * 8 + byte] = this.#body[stream + i]!;
    }
    this.#next += count;
  }
}
