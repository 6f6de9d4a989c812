/** A file is not a journal, or not of a version that can be read. */
export class JournalError extends Error {
  override readonly name: string = 'JournalError';
}

/** The file system did not do what was asked of it. */
export class WriteError extends Error {
  override readonly name: string = 'WriteError';
}

/** What stands in a journal is not what a writer puts there. Readers stop at it and tell of it; it never reaches callers. */
export class CorruptionError extends Error {
  override readonly name: string = 'CorruptionError';
}
