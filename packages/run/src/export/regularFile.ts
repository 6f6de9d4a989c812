import { statSync } from 'node:fs';

/**
 * Reports whether a path is a regular file, or a link to one. Other files are not read: reading a named pipe waits
 * for a writer, and reading a device may never end.
 */
export function isRegularFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/**
 * Reports whether a path is a named pipe, a device or a socket, which is skipped. A folder is not skipped: reading it
 * is an error.
 */
export function isSpecialFile(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && !stats.isFile() && !stats.isDirectory();
}
