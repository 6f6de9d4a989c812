import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { UsageError } from './usage.ts';

/**
 * Makes a folder and what it lies in. Throws `UsageError` when that cannot be.
 *
 * Level by level, because the recursive mkdir of Node 20 never ends in a file system that refuses with ENOENT, as /proc does.
 */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await makeLevels(folder);
  } catch (error) {
    throw new UsageError(`cannot use the artifact folder ${folder}: ${(error as Error).message}`);
  }
}

async function makeLevels(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory()) return;
  const above = dirname(folder);
  if (above !== folder) await makeLevels(above);
  await mkdir(folder).catch(async error => {
    // Another process may have made it in the meantime.
    if (!(await stat(folder).catch(() => undefined))?.isDirectory()) throw error;
  });
}
