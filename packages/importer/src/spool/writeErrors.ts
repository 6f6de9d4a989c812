import { describeSystemError } from '@org/core/systemError';
import { RunInputError } from '@org/record';

/**
 * Runs a function that writes a file. Throws `RunInputError` with the path and the reason if the file system rejects it,
 * for example because the disk is full.
 */
export function attemptWrite<T>(path: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    if (error instanceof RunInputError) throw error;
    const advice = isOutOfSpace(error) ? '; free some space' : '';
    throw new RunInputError(`cannot write ${path}: ${describeSystemError(error)}${advice}`);
  }
}

function isOutOfSpace(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOSPC' || code === 'EDQUOT';
}
