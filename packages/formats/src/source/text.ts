import { EncodingError, UnreadableError } from './source.ts';

/**
 * Decodes UTF-8 and removes a byte order mark.
 *
 * @throws EncodingError for invalid UTF-8, UnreadableError for text longer than `MAX_TEXT_BYTES`
 */
export function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError)
      throw new EncodingError(`byte ${findInvalidByte(bytes)} is not valid UTF-8`);
    throw new UnreadableError(`cannot read text: ${bytes.length} bytes are more than a string can hold`, {
      cause: error,
    });
  }
}

/** Finds the offset of the first invalid byte by binary search. */
export function findInvalidByte(bytes: Uint8Array): number {
  let low = 0;
  let high = bytes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isValidPrefix(bytes.subarray(0, middle + 1))) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isValidPrefix(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
