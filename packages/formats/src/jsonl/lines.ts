import { concatBytes, UnreadableError } from '../source/source.ts';

const NEWLINE = 0x0a;

/** Maximum length of a line: 64 MiB. The record of a scrape with 10,000 series takes about 2 MB. */
const MAX_LINE_BYTES = 1 << 26;

/** A line of a stream, without its line feed. */
export interface Line {
  /** Line number, from 1. */
  readonly number: number;
  readonly bytes: Uint8Array;
  /** True if the line ends with a line feed. An incomplete last line does not. */
  readonly hasLineFeed: boolean;
}

/**
 * Splits a byte stream at line feeds, with at most one line and one chunk in memory.
 *
 * @throws UnreadableError if a line is longer than 64 MiB
 */
export async function* splitLines(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  let number = 1;
  let pending: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      pending.push(chunk.subarray(from, at));
      checkLength(number, length + at - from);
      yield { number: number++, bytes: concatBytes(pending), hasLineFeed: true };
      pending = [];
      length = 0;
      from = at + 1;
    }
    if (from === chunk.length) continue;
    length += chunk.length - from;
    checkLength(number, length);
    // Copied, because a stream may reuse its buffer.
    pending.push(Uint8Array.from(chunk.subarray(from)));
  }
  if (pending.length > 0) yield { number, bytes: concatBytes(pending), hasLineFeed: false };
}

function checkLength(number: number, length: number): void {
  if (length > MAX_LINE_BYTES)
    throw new UnreadableError(
      `cannot read line ${number}: longer than ${MAX_LINE_BYTES} bytes; expected one record per line`,
    );
}
