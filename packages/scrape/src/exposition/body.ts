import { Buffer, isAscii } from 'node:buffer';

/** A body as bytes and as a Latin-1 string, so that positions in both are the same. */
export interface Body {
  readonly bytes: Buffer;
  readonly text: string;
  /** True if all bytes are ASCII, so that slices of `text` need no decoding. */
  readonly isAscii: boolean;
}

/** Prepares a body for parsing, without copying its bytes. */
export function toBody(bytes: Uint8Array): Body {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { bytes: buffer, text: buffer.toString('latin1'), isAscii: isAscii(bytes) };
}

/** V8 copies shorter slices of a string. Longer ones keep the whole string in memory. */
const MIN_COPIED_CHARACTERS = 13;

/**
 * Decodes the bytes from `start` to `end` into a string that does not reference the body: a name or label
 * would otherwise keep the whole body in memory. Invalid UTF-8 becomes U+FFFD.
 */
export function sliceText(body: Body, start: number, end: number): string {
  return body.isAscii ? sliceAscii(body, start, end) : body.bytes.toString('utf8', start, end);
}

/** Like `sliceText`, but faster, for bytes known to be ASCII. */
export function sliceAscii({ bytes, text }: Body, start: number, end: number): string {
  return end - start < MIN_COPIED_CHARACTERS ? text.slice(start, end) : bytes.toString('latin1', start, end);
}

/**
 * Calls `visit` with the start, end (its newline, or the end of the body) and number (from 1) of each line.
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
