const newline = 0x0a;

/** One line of a stream, without its line end. */
export interface Line {
  /** From 1. */
  readonly number: number;
  readonly bytes: Uint8Array;
  /** False for a last line that no line end follows. */
  readonly ended: boolean;
}

/** Splits a stream of bytes at line feeds, without ever holding more than one line and one piece. */
export async function* splitLines(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  let number = 1;
  let pending: Uint8Array[] = [];
  for await (const piece of stream) {
    let from = 0;
    for (let at = piece.indexOf(newline); at !== -1; at = piece.indexOf(newline, from)) {
      pending.push(piece.subarray(from, at));
      yield { number: number++, bytes: joined(pending), ended: true };
      pending = [];
      from = at + 1;
    }
    // A copy, because a stream may use its buffer again.
    if (from < piece.length) pending.push(Buffer.from(piece.subarray(from)));
  }
  if (pending.length > 0) yield { number, bytes: joined(pending), ended: false };
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
}
