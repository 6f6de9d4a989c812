import { Buffer, isAscii } from 'node:buffer';

/** A body as bytes and as a Latin-1 string. Offsets in the bytes and in the string are the same. */
export interface Body {
  readonly bytes: Buffer;
  readonly text: string;
  /** True if all bytes are ASCII. Slices of `text` then need no decoding. */
  readonly isAscii: boolean;
}

/** Prepares a body for parsing. Its bytes are shared, not copied. */
export function toBody(bytes: Uint8Array): Body {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { bytes: buffer, text: buffer.toString('latin1'), isAscii: isAscii(bytes) };
}

/** Minimum length of a string slice that references its parent string in V8. Shorter slices are copies. */
const MIN_REFERENCING_CHARACTERS = 13;

/**
 * Decodes the bytes from `start` to `end` as UTF-8, replacing invalid sequences with U+FFFD. The string does
 * not reference the body, so that a name or label does not keep the whole body in memory.
 */
export function sliceText(body: Body, start: number, end: number): string {
  return body.isAscii ? sliceAscii(body, start, end) : body.bytes.toString('utf8', start, end);
}

/** Decodes the bytes from `start` to `end`, which must be ASCII. Faster than `sliceText`. */
export function sliceAscii({ bytes, text }: Body, start: number, end: number): string {
  return end - start < MIN_REFERENCING_CHARACTERS
    ? text.slice(start, end)
    : bytes.toString('latin1', start, end);
}

/**
 * Calls `visit` for each line with its start offset, its end offset (of the newline, or of the end of the
 * body) and its number, counted from 1.
 */
export function forEachLine(text: string, visit: (start: number, end: number, line: number) => void): void {
  let start = 0;
  let line = 1;
  while (start < text.length) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    visit(start, end, line++);
    start = end + 1;
  }
}
