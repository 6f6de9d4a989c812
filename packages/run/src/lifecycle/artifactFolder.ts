import { access, constants, mkdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { RunInputError } from '@org/record';
import { describeSystemError } from '@org/scrape';

/**
 * Makes a folder and what it lies in. Throws `RunInputError` when that cannot be, or when nothing can be written there: a run of
 * an hour is not to find that out at its end.
 *
 * Level by level, because the recursive mkdir of Node 20 never ends in a file system that refuses with ENOENT, as /proc does.
 */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await makeLevels(folder);
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw unusable(folder, error);
  }
}

/**
 * Makes a folder that nobody has yet: `folder`, or `folder-2`, `folder-3`, ... when there is one. Returns which. Throws
 * `RunInputError` when that cannot be.
 */
export async function makeOwnFolder(folder: string): Promise<string> {
  const above = dirname(folder);
  await makeFolder(above);
  for (let n = 1; ; n++) {
    const own = join(above, n === 1 ? basename(folder) : `${basename(folder)}-${n}`);
    try {
      await mkdir(own);
      return own;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw unusable(own, error);
    }
  }
}

function unusable(folder: string, error: unknown): RunInputError {
  return new RunInputError(
    `cannot use the artifact folder ${JSON.stringify(folder)}: ${describeSystemError(error)}`,
  );
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
