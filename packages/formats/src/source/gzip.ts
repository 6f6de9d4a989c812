import { isSourceError, UnreadableError } from './source.ts';
import { readStream } from './streamSource.ts';

/**
 * Limits against compression bombs. Exports compress to 2% or more of their size. Data below `freeBytes` may
 * expand without a limit.
 */
const MAX_EXPANSION = { factor: 200, freeBytes: 1 << 26 };

/** Size of the pieces that are decompressed at once, in bytes. It limits the memory of a single step. */
const PIECE_BYTES = 1 << 16;

/** Reports whether data starts like a gzip file. */
export function isGzip(head: Uint8Array): boolean {
  return head[0] === 0x1f && head[1] === 0x8b && head[2] === 0x08;
}

/**
 * Decompresses a stream.
 *
 * @throws UnreadableError if the data is corrupt or expands more than 200-fold; errors of `chunks` unchanged
 */
export async function* gunzip(name: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let readBytes = 0;
  let writtenBytes = 0;
  const pieces = splitChunks(chunks, length => (readBytes += length));
  const compressed = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
  try {
    // In the types of Node, the chunks of a DecompressionStream are not typed.
    const decompressed = compressed.pipeThrough(
      new DecompressionStream('gzip'),
    ) as ReadableStream<Uint8Array>;
    for await (const chunk of readStream(decompressed)) {
      writtenBytes += chunk.length;
      if (writtenBytes > MAX_EXPANSION.freeBytes && writtenBytes > readBytes * MAX_EXPANSION.factor)
        throw new UnreadableError(
          `cannot read ${name}: the compressed data expands more than ${MAX_EXPANSION.factor}-fold`,
        );
      yield chunk;
    }
  } catch (error) {
    if (isSourceError(error)) throw error;
    const { message } = error as Error;
    throw new UnreadableError(
      `cannot read ${name}: the compressed data is corrupt or truncated (${message})`,
      {
        cause: error,
      },
    );
  }
}

/** Splits chunks into pieces of at most `PIECE_BYTES`, and reports the length of each piece. */
async function* splitChunks(
  chunks: AsyncIterable<Uint8Array>,
  onPiece: (length: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks)
    for (let from = 0; from < chunk.length; from += PIECE_BYTES) {
      const piece = chunk.subarray(from, from + PIECE_BYTES);
      onPiece(piece.length);
      yield piece;
    }
}
