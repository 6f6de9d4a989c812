import { readdirSync, rmSync } from 'node:fs';
import { access, constants, mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describeSystemError } from '@org/core';
import { RunInputError } from '@org/record';

/**
 * Creates a folder and its parents, if they do not exist. Throws `RunInputError` if the folder cannot be
 * created or is not writable, so that a long run does not fail for this reason at its end.
 *
 * Creates one level at a time: the recursive mkdir of Node 20 never returns on a file system that fails with
 * ENOENT, such as /proc.
 */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await makeLevels(folder);
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw toFolderError(folder, error);
  }
}

/** Creates the error for a folder that cannot be used. */
export function toFolderError(folder: string, error: unknown): RunInputError {
  return new RunInputError(
    `cannot use the artifact folder ${JSON.stringify(folder)}: ${describeFolderError(folder, error)}`,
  );
}

/**
 * Describes why a folder cannot be created: often the name of the folder, or of one of its parents, is taken
 * by a file.
 */
function describeFolderError(folder: string, error: unknown): string {
  const { code, path } = error as NodeJS.ErrnoException;
  if (code !== 'EEXIST') return describeSystemError(error);
  return path === undefined || path === folder ? 'not a folder' : `${JSON.stringify(path)} is not a folder`;
}

async function makeLevels(folder: string): Promise<void> {
  const stats = await stat(folder).catch(() => undefined);
  if (stats?.isDirectory()) return;
  const parent = dirname(folder);
  if (parent !== folder) await makeLevels(parent);
  await mkdir(folder).catch(async error => {
    // Another process may have created the folder in the meantime.
    if (!(await stat(folder).catch(() => undefined))?.isDirectory()) throw error;
  });
}

/**
 * Matches the name of an incomplete export, which contains the ID of its process (see `AtomicFile` in
 * `@org/formats`).
 */
const INCOMPLETE_EXPORT = /^\..+\.(\d+)\.[0-9a-f]{12}\.tmp$/;

/** Removes incomplete exports of processes that no longer exist. Returns the number of removed files. */
export function removeStaleFiles(folder: string): number {
  const staleNames = readdirSync(folder).filter(name => {
    const [, pid] = INCOMPLETE_EXPORT.exec(name) ?? [];
    return pid !== undefined && hasEnded(Number(pid));
  });
  for (const name of staleNames) rmSync(join(folder, name), { force: true });
  return staleNames.length;
}

function hasEnded(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
