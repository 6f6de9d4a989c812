import { concatBytes, UnreadableError } from '../source/source.ts';

const NEWLINE = 0x0a;

/** Maximum length of a line. A scrape of 10,000 series takes about 2 MB. */
const MAX_LINE_BYTES = 1 << 26;

/** One line of a stream, without its line end. */
export interface Line {
  /** From 1. */
  readonly number: number;
  readonly bytes: Uint8Array;
  /** True if the line ends with a line feed, which an incomplete last line does not. */
  readonly ended: boolean;
}

/**
 * Splits a byte stream at line feeds. Holds at most one line and one chunk in memory.
 *
 * @throws UnreadableError for a line of more than 64 MiB
 */
export async function* splitLines(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  let number = 1;
  let pending: Uint8Array[] = [];
  let length = 0;
  for await (const piece of stream) {
    let from = 0;
    for (let at = piece.indexOf(NEWLINE); at !== -1; at = piece.indexOf(NEWLINE, from)) {
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
        `cannot read line ${number}: longer than ${MAX_LINE_BYTES} bytes; expected one record per line`,
      );
    // Copied, because a stream may reuse its buffer.
    pending.push(Uint8Array.from(piece.subarray(from)));
  }
  if (pending.length > 0) yield { number, bytes: concatBytes(pending), ended: false };
}
