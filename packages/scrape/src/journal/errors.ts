/** The file is not a journal, or has an unsupported version. */
export class JournalError extends Error {
  override readonly name: string = 'JournalError';
}

/** An operation of the file system failed. */
export class WriteError extends Error {
  override readonly name: string = 'WriteError';
}

/**
 * The bytes of a journal are not what a writer produces. Readers stop there and report it; it is never thrown
 * to callers.
 */
export class CorruptionError extends Error {
  override readonly name: string = 'CorruptionError';
}
