import { EncodingError, FormatError, isSourceError, type Source } from '@org/formats/read';
import { openInput, RunError } from './input.ts';

/** Names of error classes in modules that are loaded on demand. Importing a class would load its module. */
const KNOWN_ERRORS: ReadonlySet<string> = new Set(['ParquetError', 'RunInputError']);

/** Runs `read`, and converts errors about the contents of a file to `RunError`, except `FormatError`. */
export async function withReadErrors<T>(file: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const isKnown = isSourceError(error) || (error instanceof Error && KNOWN_ERRORS.has(error.name));
    if (error instanceof FormatError || !isKnown) throw error;
    const problem = error instanceof EncodingError ? 'neither JSON nor CSV' : (error as Error).message;
    throw new RunError(`cannot read ${JSON.stringify(file)}: ${problem}`, { cause: error });
  }
}

/** Reports whether an error is about the file of a run. */
export function isReadError(error: unknown): boolean {
  return error instanceof FormatError || error instanceof RunError;
}

/** Opens a file of a run. Throws `RunError` if it cannot be read. */
export async function openFileSource(file: string): Promise<Source> {
  return await withReadErrors(file, () => openInput(file));
}
