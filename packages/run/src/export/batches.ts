/** Maximum length of a batch in characters, however few lines it holds: V8 limits a string to about 500 million. */
const MAX_BATCH_LENGTH = 8_000_000;

/** Joins lines, each with its line end, into texts of up to `maxLines` lines. */
export function* batchLines(lines: Iterable<string>, maxLines: number): Generator<string> {
  let batch: string[] = [];
  let length = 0;
  for (const line of lines) {
    batch.push(line, '\n');
    length += line.length + 1;
    if (batch.length < 2 * maxLines && length < MAX_BATCH_LENGTH) continue;
    yield batch.join('');
    batch = [];
    length = 0;
  }
  if (batch.length > 0) yield batch.join('');
}
