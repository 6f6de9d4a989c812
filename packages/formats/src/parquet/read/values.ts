import { ParquetError } from '../error.ts';
import { DeltaDecoder, readLengths } from './delta.ts';
import { HybridDecoder } from './hybrid.ts';

/** Encodings by their number in parquet.thrift. */
const PLAIN = 0;
const PLAIN_DICTIONARY = 2;
const DELTA_BINARY_PACKED = 5;
const DELTA_LENGTH_BYTE_ARRAY = 6;
const DELTA_BYTE_ARRAY = 7;
const RLE_DICTIONARY = 8;
const BYTE_STREAM_SPLIT = 9;

/** Reads 64-bit values as pairs of low and high words. */
export interface WordDecoder {
  /** Reads `count` values to `out`, from value `from` on. */
  read(out: Int32Array, from: number, count: number): void;
}

/** Reads byte arrays one by one. */
export interface TextDecoder {
  next(): Uint8Array;
}

export function isDictionaryEncoding(encoding: number): boolean {
  return encoding === PLAIN_DICTIONARY || encoding === RLE_DICTIONARY;
}

/** The codes of a dictionary-encoded page. */
export function codeDecoder(body: Uint8Array): HybridDecoder {
  // A page without any value may leave out the width.
  return body.length === 0 ? new HybridDecoder(body, 0) : new HybridDecoder(body.subarray(1), body[0]!);
}

/**
 * Reads the 64-bit values of a page.
 *
 * @param dictionary words of the chunk's dictionary, where it has one
 * @throws {ParquetError} when the encoding is not known for such values
 */
export function wordDecoder(
  encoding: number,
  body: Uint8Array,
  dictionary: Int32Array | undefined,
): WordDecoder {
  if (encoding === PLAIN) return new PlainWords(body);
  if (isDictionaryEncoding(encoding)) return new DictionaryWords(body, dictionary);
  if (encoding === DELTA_BINARY_PACKED) return new DeltaWords(body);
  if (encoding === BYTE_STREAM_SPLIT) return new SplitWords(body);
  throw unknownEncoding(encoding, 'PLAIN, dictionary, DELTA_BINARY_PACKED and BYTE_STREAM_SPLIT');
}

/** Reads the byte arrays of a page that is not dictionary-encoded. */
export function textDecoder(encoding: number, body: Uint8Array): TextDecoder {
  if (encoding === PLAIN) return new PlainTexts(body);
  if (encoding === DELTA_LENGTH_BYTE_ARRAY) return new DeltaLengthTexts(body);
  if (encoding === DELTA_BYTE_ARRAY) return new DeltaTexts(body);
  throw unknownEncoding(encoding, 'PLAIN, dictionary, DELTA_LENGTH_BYTE_ARRAY and DELTA_BYTE_ARRAY');
}

function unknownEncoding(encoding: number, accepted: string): ParquetError {
  return new ParquetError('unsupported', `a page in encoding ${encoding}; ${accepted} are accepted`);
}

class PlainWords implements WordDecoder {
  readonly #body: Uint8Array;
  #at = 0;

  constructor(body: Uint8Array) {
    this.#body = body;
  }

  read(out: Int32Array, from: number, count: number): void {
    const end = this.#at + count * 8;
    if (end > this.#body.length) throw cutOff();
    new Uint8Array(out.buffer, out.byteOffset + from * 8, count * 8).set(this.#body.subarray(this.#at, end));
    this.#at = end;
  }
}

class DictionaryWords implements WordDecoder {
  readonly #codes: HybridDecoder;
  readonly #dictionary: Int32Array;
  #scratch: Int32Array = new Int32Array(0);

  constructor(body: Uint8Array, dictionary: Int32Array | undefined) {
    if (!dictionary) throw new ParquetError('page', 'a page has codes and its column chunk no dictionary');
    this.#codes = codeDecoder(body);
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
      if (code >= size) throw codeTooLarge(code, size);
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

/** BYTE_STREAM_SPLIT: first the lowest bytes of all values, then the second lowest, and so on. */
class SplitWords implements WordDecoder {
  readonly #body: Uint8Array;
  readonly #size: number;
  #next = 0;

  constructor(body: Uint8Array) {
    this.#body = body;
    this.#size = Math.floor(body.length / 8);
  }

  read(out: Int32Array, from: number, count: number): void {
    if (this.#next + count > this.#size) throw cutOff();
    const bytes = new Uint8Array(out.buffer, out.byteOffset, out.byteLength);
    for (let byte = 0; byte < 8; byte++) {
      const stream = byte * this.#size + this.#next;
      for (let i = 0; i < count; i++) bytes[(from + i) * 8 + byte] = this.#body[stream + i]!;
    }
    this.#next += count;
  }
}

class PlainTexts implements TextDecoder {
  readonly #body: Uint8Array;
  #at = 0;

  constructor(body: Uint8Array) {
    this.#body = body;
  }

  next(): Uint8Array {
    const at = this.#at;
    const body = this.#body;
    if (at + 4 > body.length) throw cutOff();
    const length = (body[at]! | (body[at + 1]! << 8) | (body[at + 2]! << 16) | (body[at + 3]! << 24)) >>> 0;
    if (length > body.length - at - 4) {
      throw new ParquetError(
        'page',
        `a string says it has ${length} bytes, ${body.length - at - 4} are left`,
      );
    }
    this.#at = at + 4 + length;
    return body.subarray(at + 4, this.#at);
  }
}

class DeltaLengthTexts implements TextDecoder {
  readonly #body: Uint8Array;
  readonly #lengths: Int32Array;
  #next = 0;
  #at: number;

  constructor(body: Uint8Array) {
    const { lengths, end } = readLengths(body);
    this.#body = body;
    this.#lengths = lengths;
    this.#at = end;
  }

  next(): Uint8Array {
    const length = this.#lengths[this.#next++];
    if (length === undefined || length > this.#body.length - this.#at) throw cutOff();
    this.#at += length;
    return this.#body.subarray(this.#at - length, this.#at);
  }
}

/** DELTA_BYTE_ARRAY: each string begins with so many bytes of the one before. */
class DeltaTexts implements TextDecoder {
  readonly #prefixes: Int32Array;
  readonly #suffixes: DeltaLengthTexts;
  #next = 0;
  #last: Uint8Array = new Uint8Array(0);

  constructor(body: Uint8Array) {
    const { lengths, end } = readLengths(body);
    this.#prefixes = lengths;
    this.#suffixes = new DeltaLengthTexts(body.subarray(end));
  }

  next(): Uint8Array {
    const prefix = this.#prefixes[this.#next++];
    if (prefix === undefined || prefix > this.#last.length) throw cutOff();
    this.#last = Buffer.concat([this.#last.subarray(0, prefix), this.#suffixes.next()]);
    return this.#last;
  }
}

export function codeTooLarge(code: number, size: number): ParquetError {
  return new ParquetError('page', `code ${code} in a dictionary of ${size} values`);
}

function cutOff(): ParquetError {
  return new ParquetError('page', 'the values of a page are cut off');
}
