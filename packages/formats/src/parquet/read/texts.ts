import { ParquetError } from '../error.ts';
import { readLengths } from './delta.ts';
import { createEncodingError, createTruncatedError, Encoding } from './encoding.ts';

/** Decodes byte arrays one at a time. */
export interface ByteArrayDecoder {
  next(): Uint8Array;
}

/** Creates a decoder for the byte arrays of a page that is not dictionary-encoded. */
export function createByteArrayDecoder(encoding: number, body: Uint8Array): ByteArrayDecoder {
  if (encoding === Encoding.PLAIN) return new PlainTexts(body);
  if (encoding === Encoding.DELTA_LENGTH_BYTE_ARRAY) return new DeltaLengthTexts(body);
  if (encoding === Encoding.DELTA_BYTE_ARRAY) return new DeltaTexts(body);
  throw createEncodingError(encoding, 'PLAIN, dictionary, DELTA_LENGTH_BYTE_ARRAY and DELTA_BYTE_ARRAY');
}

class PlainTexts implements ByteArrayDecoder {
  readonly #body: Uint8Array;
  #at = 0;

  constructor(body: Uint8Array) {
    this.#body = body;
  }

  next(): Uint8Array {
    const at = this.#at;
    const body = this.#body;
    if (at + 4 > body.length) throw createTruncatedError();
    const length = (body[at]! | (body[at + 1]! << 8) | (body[at + 2]! << 16) | (body[at + 3]! << 24)) >>> 0;
    if (length > body.length - at - 4) {
      throw new ParquetError(
        'page',
        `a string states ${length} bytes, but only ${body.length - at - 4} are left`,
      );
    }
    this.#at = at + 4 + length;
    return body.subarray(at + 4, this.#at);
  }
}

class DeltaLengthTexts implements ByteArrayDecoder {
  readonly #body: Uint8Array;
  readonly #lengths: Int32Array;
  #nextIndex = 0;
  #at: number;

  constructor(body: Uint8Array) {
    const { lengths, end } = readLengths(body);
    this.#body = body;
    this.#lengths = lengths;
    this.#at = end;
  }

  next(): Uint8Array {
    const length = this.#lengths[this.#nextIndex++];
    if (length === undefined || length > this.#body.length - this.#at) throw createTruncatedError();
    this.#at += length;
    return this.#body.subarray(this.#at - length, this.#at);
  }
}

/** Maximum total size of the shared prefixes in a page, in bytes. A few bits can repeat a long string many times. */
const MAX_REPEATED_BYTES = 1 << 28;

/** Decodes DELTA_BYTE_ARRAY: each string shares a prefix with the previous one. */
class DeltaTexts implements ByteArrayDecoder {
  readonly #prefixes: Int32Array;
  readonly #suffixes: DeltaLengthTexts;
  #nextIndex = 0;
  #previous: Uint8Array = new Uint8Array(0);

  constructor(body: Uint8Array) {
    const { lengths, end } = readLengths(body);
    // Checked before any string is decoded, so that a page that exceeds the limit allocates nothing.
    if (lengths.reduce((sum, length) => sum + length, 0) > MAX_REPEATED_BYTES) {
      throw new ParquetError('limit', `the repeated prefixes of a page exceed ${MAX_REPEATED_BYTES} bytes`);
    }
    this.#prefixes = lengths;
    this.#suffixes = new DeltaLengthTexts(body.subarray(end));
  }

  next(): Uint8Array {
    const prefix = this.#prefixes[this.#nextIndex++];
    if (prefix === undefined || prefix > this.#previous.length) throw createTruncatedError();
    this.#previous = Buffer.concat([this.#previous.subarray(0, prefix), this.#suffixes.next()]);
    return this.#previous;
  }
}
