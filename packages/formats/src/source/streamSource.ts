import { headLength, joined, longestText, type Source } from './byteSource.ts';
import { UnreadableError } from './errors.ts';

/**
 * A source that can be read once, as standard input, a pipe or the answer of a server. Its first bytes are taken at once;
 * the others when they are asked for, so that JSON lines of any length are read in little memory.
 */
export async function streamSource(
  name: string | undefined,
  chunks: AsyncIterable<Uint8Array>,
): Promise<Source> {
  const iterator = chunks[Symbol.asyncIterator]();
  const first = await firstChunks(iterator);
  const stream = (): AsyncIterable<Uint8Array> => chained(first, iterator);
  return {
    name,
    file: undefined,
    head: joined(first).subarray(0, headLength),
    bytes: () => wholeStream(name ?? 'the stream', stream()),
    stream,
  };
}

async function firstChunks(iterator: AsyncIterator<Uint8Array>): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  for (let length = 0; length < headLength; length += chunks.at(-1)!.length) {
    const { done, value } = await iterator.next();
    if (done) break;
    chunks.push(value);
  }
  return chunks;
}

/** Ends the stream, too, when its reader has seen enough. */
async function* chained(
  first: readonly Uint8Array[],
  iterator: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* first;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  } finally {
    await iterator.return?.();
  }
}

async function wholeStream(name: string, stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length > longestText)
      throw new UnreadableError(
        `cannot read ${name}: it has more than the ${longestText} bytes that a string can hold; only JSON lines are read in pieces`,
      );
    chunks.push(chunk);
  }
  return joined(chunks);
}
