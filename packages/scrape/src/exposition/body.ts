import { Buffer, isAscii } from 'node:buffer';

/**
 * A body as a string with one character a byte, so that positions in it are positions in the bytes.
 */
export interface Body {
  readonly bytes: Uint8Array;
  readonly text: string;
  /** True when every byte is ASCII: then a piece of `text` is itself what was meant. */
  readonly ascii: boolean;
}

export function bodyOf(bytes: Uint8Array): Body {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { bytes, text: buffer.toString('latin1'), ascii: isAscii(bytes) };
}

/** A piece of the body as the characters it stands for. Bytes that are not UTF-8 become U+FFFD. */
export function decode(body: Body, piece: string): string {
  return body.ascii ? piece : Buffer.from(piece, 'latin1').toString('utf8');
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
