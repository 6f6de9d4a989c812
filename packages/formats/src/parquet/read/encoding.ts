import { ParquetError } from '../error.ts';
import { HybridDecoder } from './hybrid.ts';

/** Encodings by their number in parquet.thrift. */
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

/** The codes of a dictionary-encoded page. */
export function codeDecoder(body: Uint8Array): HybridDecoder {
  // A page without any value may leave out the width.
  return body.length === 0 ? new HybridDecoder(body, 0) : new HybridDecoder(body.subarray(1), body[0]!);
}

/** For an encoding that a type does not have, or that is not known. */
export function unknownEncoding(encoding: number, accepted: string): ParquetError {
  return new ParquetError('unsupported', `a page in encoding ${encoding}; ${accepted} are accepted`);
}

/** For a code beyond the dictionary. */
export function codeTooLarge(code: number, size: number): ParquetError {
  return new ParquetError('page', `code ${code} in a dictionary of ${size} values`);
}

/** For a page that ends before its values. */
export function cutOff(): ParquetError {
  return new ParquetError('page', 'the values of a page are cut off');
}
