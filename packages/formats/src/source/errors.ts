/** Reports input that cannot be read at all: a failed download, a text that is too long. */
export class UnreadableError extends Error {
  override readonly name: string = 'UnreadableError';
}

/** Reports bytes that are not UTF-8. */
export class EncodingError extends UnreadableError {
  override readonly name: string = 'EncodingError';

  /** @param offset offset of the first invalid byte */
  constructor(offset: number) {
    super(`cannot decode text: byte ${offset} is not valid UTF-8`);
  }
}

/** Reports whether an error was caused by the input (unreadable, missing, not permitted) and not by a bug. */
export function isSourceError(error: unknown): error is Error {
  return error instanceof UnreadableError || (error instanceof Error && 'syscall' in error);
}
