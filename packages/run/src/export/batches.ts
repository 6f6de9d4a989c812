/** Characters after which a batch is full however few lines it has: a string of V8 holds some 500 million. */
const MOST_LENGTH = 8_000_000;

/** Joins lines into texts of up to `mostLines` lines, each with its line end, that are written at a time. */
export function* batches(lines: Iterable<string>, mostLines: number): Generator<string> {
  let batch: string[] = [];
  let length = 0;
  for (const line of lines) {
    batch.push(line, '\n');
    length += line.length + 1;
    if (batch.length < 2 * mostLines && length < MOST_LENGTH) continue;
    yield batch.join('');
    batch = [];
    length = 0;
  }
  if (batch.length > 0) yield batch.join('');
}
