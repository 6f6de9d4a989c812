import { concatBytes } from '../source/byteSource.ts';
import { UnreadableError } from '../source/errors.ts';

const newline = 0x0a;

/** A scrape of 10,000 series makes 2 MB; what is longer is no record, and would be held as a whole. */
const MAX_LINE_BYTES = 1 << 26;

/** One line of a stream, without its line end. */
export interface Line {
  /** From 1. */
  readonly number: number;
  readonly bytes: Uint8Array;
  /** False for a last line that no line end follows. */
  readonly ended: boolean;
}

/**
 * Splits a stream of bytes at line feeds, without ever holding more than one line and one piece.
 *
 * @throws UnreadableError for a line of more than 64 MB
 */
export async function* splitLines(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  let number = 1;
  let pending: Uint8Array[] = [];
  let length = 0;
  for await (const piece of stream) {
    let from = 0;
    for (let at = piece.indexOf(newline); at !== -1; at = piece.indexOf(newline, from)) {
      pending.push(piece.subarray(from, at));
      yield { number: number++, bytes: concatBytes(pending), ended: true };
      pending = [];
      length = 0;
      from = at + 1;
    }
    if (from === piece.length) continue;
    length += piece.length - from;
    if (length > MAX_LINE_BYTES)
      throw new UnreadableError(
        `cannot read line ${number}: it has more than ${MAX_LINE_BYTES} bytes; a record is a line, and far shorter`,
      );
    // A copy, because a stream may use its buffer again.
    pending.push(Uint8Array.from(piece.subarray(from)));
  }
  if (pending.length > 0) yield { number, bytes: concatBytes(pending), ended: false };
}
