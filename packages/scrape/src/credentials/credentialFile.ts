import { describeSystemError } from '@org/core';
import { readTextFile } from '../textFile.ts';

/**
 * A credential or certificate file is missing or invalid. `message` names the file and what was expected of
 * it.
 */
export class CredentialFileError extends Error {
  override readonly name: string = 'CredentialFileError';
  /** The path of the file, as the user wrote it. */
  readonly path: string;

  constructor(path: string, message: string) {
    super(message);
    this.path = path;
  }
}

/**
 * Reads a file as UTF-8. `label` names the file's purpose in the `CredentialFileError` that is thrown on
 * failure.
 */
export function readCredentialFile(label: string, path: string): string {
  try {
    return readTextFile(path);
  } catch (error) {
    throw createFileError(label, path, `cannot be read: ${describeSystemError(error)}`);
  }
}

/** Builds the error for an invalid file. `problem` is a clause that follows the file name. */
export function createFileError(label: string, path: string, problem: string): CredentialFileError {
  return new CredentialFileError(path, `${label} ${JSON.stringify(path)} ${problem}`);
}
