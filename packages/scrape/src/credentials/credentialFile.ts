import { describeSystemError } from '@org/core';
import { readTextFile } from '../textFile.ts';

/** An error for a missing or invalid credential or certificate file. `message` names the file and its problem. */
export class CredentialFileError extends Error {
  override readonly name: string = 'CredentialFileError';
  /** The path of the file, as the user wrote it. */
  readonly path: string;
  /** The problem, without the name of the file. */
  readonly problem: string;

  /** `label` names the purpose of the file, such as `CA file`. */
  constructor(label: string, path: string, problem: string) {
    super(`invalid ${label} ${JSON.stringify(path)}: ${problem}`);
    this.path = path;
    this.problem = problem;
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
    throw new CredentialFileError(label, path, describeSystemError(error));
  }
}
