import { EncodingError, UnreadableError } from './source.ts';

/**
 * Decodes UTF-8 and drops a byte order mark.
 *
 * @throws EncodingError for bytes that are not UTF-8, UnreadableError for more text than a string can hold (512 MB)
 */
export function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) throw new EncodingError(findInvalidByte(bytes));
    throw new UnreadableError(`cannot read text: ${bytes.length} bytes are more than a string can hold`, {
      cause: error,
    });
  }
}

/** Finds the first byte that does not decode, by binary search. */
function findInvalidByte(bytes: Uint8Array): number {
  let from = 0;
  let to = bytes.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (isValidPrefix(bytes.subarray(0, middle + 1))) from = middle + 1;
    else to = middle;
  }
  return from;
}

function isValidPrefix(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
