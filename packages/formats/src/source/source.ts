/** An opened input: a file, a stream, a download or bytes in memory. */
export interface Source {
  /** Path or URL; undefined for text and bytes. */
  readonly name: string | undefined;
  /** The path, if the source is a regular file. */
  readonly file: string | undefined;
  /** The path, if the source is a folder. The bytes of a folder cannot be read. */
  readonly folder?: string;
  /** The first bytes, enough to detect the format. */
  readonly head: Uint8Array;
  /** Reads all bytes. */
  readonly bytes: () => Promise<Uint8Array>;
  /** Reads all bytes in chunks. */
  readonly stream: () => AsyncIterable<Uint8Array>;
}

/** Maximum length of a string in V8. An ASCII file with more bytes cannot be decoded into one string. */
export const MAX_TEXT_BYTES: number = 2 ** 29 - 24;

/** Number of leading bytes that are read to detect the format. */
export const HEAD_BYTES = 4096;

/** Concatenates chunks. A single chunk is returned without a copy. */
export function concatBytes(chunks: readonly Uint8Array[]): Uint8Array {
  if (chunks.length === 1) return chunks[0]!;
  const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

/** Error for input that cannot be read, such as a failed download or a text that is too long. */
export class UnreadableError extends Error {
  override readonly name: string = 'UnreadableError';
}

/** Error for text that is not valid UTF-8. */
export class EncodingError extends UnreadableError {
  override readonly name: string = 'EncodingError';

  constructor(problem: string) {
    super(`cannot decode text: ${problem}`);
  }
}

/** Reports whether an error was caused by the input (unreadable, missing, not permitted) and not by a bug. */
export function isSourceError(error: unknown): error is Error {
  return error instanceof UnreadableError || (error instanceof Error && 'syscall' in error);
}
