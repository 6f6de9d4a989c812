import { Buffer, isAscii } from 'node:buffer';

/**
 * A body as bytes, and as a string with one character a byte, so that positions in it are positions in the bytes.
 */
export interface Body {
  readonly bytes: Buffer;
  readonly text: string;
  /** True when every byte is ASCII: then a piece of `text` is itself what was meant. */
  readonly ascii: boolean;
}

export function toBody(bytes: Uint8Array): Body {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { bytes: buffer, text: buffer.toString('latin1'), ascii: isAscii(bytes) };
}

/** Shorter pieces of a string are copied by the engine; longer ones keep the whole string in memory. */
const MIN_COPIED_CHARACTERS = 13;

/**
 * The characters that the bytes from `start` to `end` stand for, without a tie to the body, which would otherwise stay in
 * memory for as long as a name or label of it does. Bytes that are not UTF-8 become U+FFFD.
 */
export function sliceText(body: Body, start: number, end: number): string {
  return body.ascii ? sliceAscii(body, start, end) : body.bytes.toString('utf8', start, end);
}

/** The same of bytes that are known to be ASCII, which takes less. */
export function sliceAscii({ bytes, text }: Body, start: number, end: number): string {
  return end - start < MIN_COPIED_CHARACTERS ? text.slice(start, end) : bytes.toString('latin1', start, end);
}

/** Calls `visit` with each line's start and end (its newline, or the body's end) and number from 1. */
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
