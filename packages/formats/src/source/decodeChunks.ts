import { concatBytes, EncodingError } from './source.ts';
import { findInvalidByte } from './text.ts';

/**
 * Decodes UTF-8 in chunks of any size, and removes a byte order mark. Characters can be split between chunks.
 *
 * @throws EncodingError for invalid UTF-8
 */
export async function* decodeChunks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let rest: Uint8Array = new Uint8Array();
  let offset = 0;
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : concatBytes([rest, chunk]);
    const length = bytes.length - countIncompleteBytes(bytes);
    if (length > 0) yield decodeAt(bytes.subarray(0, length), offset);
    offset += length;
    // The stream may reuse the memory of its chunk.
    rest = bytes.slice(length);
  }
  if (rest.length > 0) decodeAt(rest, offset);
}

function decodeAt(bytes: Uint8Array, offset: number): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: offset > 0 }).decode(bytes);
  } catch {
    throw new EncodingError(`byte ${offset + findInvalidByte(bytes)} is not valid UTF-8`);
  }
}

/** Returns the number of bytes at the end that start a character whose other bytes are missing. */
function countIncompleteBytes(bytes: Uint8Array): number {
  for (let count = 1; count <= Math.min(3, bytes.length); count++) {
    const byte = bytes[bytes.length - count]!;
    const isContinuation = byte >= 0x80 && byte < 0xc0;
    if (!isContinuation) return countBytes(byte) > count ? count : 0;
  }
  return 0;
}

/** Returns the number of bytes of a character from its first byte. */
function countBytes(first: number): number {
  if (first >= 0xf0 && first < 0xf8) return 4;
  if (first >= 0xe0 && first < 0xf0) return 3;
  return first >= 0xc0 && first < 0xe0 ? 2 : 1;
}
