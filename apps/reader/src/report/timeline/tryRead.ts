import { isSourceError } from '@org/formats/read';
import type { ReadIssues } from '../readIssues.ts';

/** Runs `read`. If the file is malformed or cannot be read, adds an issue and returns undefined, so that the next source is used. */
export async function tryRead<T>(
  file: string,
  issues: ReadIssues,
  read: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    const isKnown = error instanceof Error && (error.name === 'ParquetError' || error.name === 'FormatError');
    if (!isKnown && !isSourceError(error)) throw error;
    issues.add(file, error.message);
    return undefined;
  }
}
