import {
  concatBytes,
  HEAD_BYTES,
  isSourceError,
  MAX_TEXT_BYTES,
  type Source,
  UnreadableError,
} from './source.ts';

/**
 * Opens a source that can be read only once, such as standard input, a pipe or an HTTP response. Its first bytes are
 * read immediately and the rest on demand, so that JSON lines files of any size can be read in little memory.
 */
export async function openStreamSource(
  name: string | undefined,
  chunks: AsyncIterable<Uint8Array>,
): Promise<Source> {
  const iterator = readChunks(name ?? 'the stream', chunks);
  const firstChunks = await readFirstChunks(iterator);
  const stream = (): AsyncIterable<Uint8Array> => chainChunks(firstChunks, iterator);
  return {
    name,
    file: undefined,
    head: concatBytes(firstChunks).subarray(0, HEAD_BYTES),
    bytes: () => readWholeStream(name ?? 'the stream', stream()),
    stream,
  };
}

/**
 * Yields the chunks of a stream. Text, which Node's streams yield if they have an encoding, is encoded.
 *
 * @throws UnreadableError if the stream fails; errors of the file system are passed on
 */
async function* readChunks(
  name: string,
  chunks: AsyncIterable<Uint8Array | string>,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of chunks)
      yield typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk;
  } catch (error) {
    if (isSourceError(error)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new UnreadableError(`cannot read ${name}: ${reason}`, { cause: error });
  }
}

/** Yields the chunks of a web stream, which is not iterable in all browsers. Cancels it if the consumer stops early. */
export async function* readStream(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    // Has no effect if the stream has ended or failed.
    await reader.cancel().catch(() => undefined);
  }
}

/** Reads chunks until they contain `HEAD_BYTES` or the stream ends. */
async function readFirstChunks(iterator: AsyncIterator<Uint8Array>): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  for (let length = 0; length < HEAD_BYTES; length += chunks.at(-1)!.length) {
    const { done, value } = await iterator.next();
    if (done) break;
    chunks.push(value);
  }
  return chunks;
}

/** Yields the first chunks and then the remaining chunks. Closes the stream if the consumer stops early. */
async function* chainChunks(
  firstChunks: readonly Uint8Array[],
  iterator: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* firstChunks;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  } finally {
    await iterator.return?.();
  }
}

async function readWholeStream(name: string, stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length > MAX_TEXT_BYTES)
      throw new UnreadableError(
        `cannot read ${name}: larger than the ${MAX_TEXT_BYTES} bytes that a string can hold; only JSON lines are read in chunks`,
      );
    chunks.push(chunk);
  }
  return concatBytes(chunks);
}
