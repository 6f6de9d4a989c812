import { ParquetError } from '../error.ts';
import { HybridDecoder } from './hybrid.ts';

/** Encodings, by their number in parquet.thrift. */
export const Encoding = {
  PLAIN: 0,
  PLAIN_DICTIONARY: 2,
  RLE: 3,
  DELTA_BINARY_PACKED: 5,
  DELTA_LENGTH_BYTE_ARRAY: 6,
  DELTA_BYTE_ARRAY: 7,
  RLE_DICTIONARY: 8,
  BYTE_STREAM_SPLIT: 9,
} as const;

export function isDictionaryEncoding(encoding: number): boolean {
  return encoding === Encoding.PLAIN_DICTIONARY || encoding === Encoding.RLE_DICTIONARY;
}

/** Creates a decoder for the codes of a dictionary-encoded page. */
export function createCodeDecoder(body: Uint8Array): HybridDecoder {
  // A page without values can omit the byte with the bit width.
  return body.length === 0 ? new HybridDecoder(body, 0) : new HybridDecoder(body.subarray(1), body[0]!);
}

/** Returns the error for an unsupported encoding. */
export function createEncodingError(encoding: number, supported: string): ParquetError {
  return new ParquetError('unsupported', `a page has encoding ${encoding}; supported are ${supported}`);
}

/** Returns the error for a code that is not in the dictionary. */
export function createCodeError(code: number, size: number): ParquetError {
  return new ParquetError('page', `code ${code} is not in the dictionary of ${size} values`);
}

/** Returns the error for a page that ends before its values. */
export function createTruncatedError(): ParquetError {
  return new ParquetError('page', 'the values of a page are truncated');
}
