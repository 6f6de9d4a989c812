import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { describeSystemError } from '@org/core/systemError';
import { fromPath, openSource, type Source } from '@org/formats/read';

/** An error for a path that is not a readable run. The message is for the user. */
export class RunError extends Error {
  override readonly name: string = 'RunError';
}

/**
 * Reports whether a path is a folder.
 *
 * @throws RunError if it does not exist or cannot be accessed
 */
export async function isFolder(path: string): Promise<boolean> {
  return (await statRun(path)).isDirectory();
}

/**
 * Returns the type and size of a run's file or folder.
 *
 * @throws RunError if it does not exist or cannot be accessed
 */
export async function statRun(path: string): Promise<Stats> {
  try {
    return await stat(path);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const reason = isMissing ? 'no such file or folder' : describeSystemError(error);
    throw new RunError(`cannot read ${JSON.stringify(path)}: ${reason}`);
  }
}

/**
 * Opens a file for the readers of @org/formats, to be read once.
 *
 * @throws the file system's error if the file cannot be read
 */
export async function openInput(file: string): Promise<Source> {
  return await openSource(fromPath(file));
}
