import { describeSystemError } from '@org/core';
import { readTextFile } from '../textFile.ts';

/** Error thrown if a credential or certificate file is missing or invalid. `message` contains path and problem. */
export class CredentialFileError extends Error {
  override readonly name: string = 'CredentialFileError';
  /** The path of the file, as the user specified it. */
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
 * Reads a UTF-8 file. Throws `CredentialFileError` on failure; `label` is the purpose of the file in its
 * message, such as `CA file`.
 */
export function readCredentialFile(label: string, path: string): string {
  try {
    return readTextFile(path);
  } catch (error) {
    throw new CredentialFileError(label, path, describeSystemError(error));
  }
}
