import { mkdir, readdir, rename, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isListening } from '../marks/staleSockets.ts';
import { makeFolder, toFolderError } from './artifactFolder.ts';
import { listJournaledRuns } from './folderUse.ts';

/** A folder for a run, chosen by the program. */
export interface DefaultFolder {
  readonly folder: string;
  /** The folder that the files of an earlier run were moved to; absent if there were none. */
  readonly movedTo?: string;
  /** True if the exports of the earlier run are not written, so that it should be recovered. */
  readonly needsRecovery?: boolean;
}

/**
 * Creates the folder of a run whose name was chosen by the program. The files of an earlier run are first moved to
 * `folder.1`, `folder.2`, and so on. If a run is active in the folder, uses `folder-2`, `folder-3`, and so on. Throws
 * `RunInputError` if the folder cannot be created.
 */
export async function makeDefaultFolder(folder: string): Promise<DefaultFolder> {
  const parent = dirname(folder);
  await makeFolder(parent);
  for (let n = 1; ; n++) {
    const candidate = join(parent, n === 1 ? basename(folder) : `${basename(folder)}-${n}`);
    const moved = await moveEarlierRun(candidate);
    if (moved !== 'in use' && (await create(candidate))) return { folder: candidate, ...moved };
  }
}

/** Creates a folder. Returns false if another process has created it in the meantime. */
async function create(folder: string): Promise<boolean> {
  try {
    await mkdir(folder);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (code !== 'ENOENT') throw toFolderError(folder, error);
    // Another process, whose run has failed, has removed the empty parent.
    await makeFolder(dirname(folder));
    return await create(folder);
  }
}

/**
 * Moves a folder with the files of an earlier run. An empty folder counts as in use, because a run that is starting has
 * no files yet.
 */
async function moveEarlierRun(folder: string): Promise<Omit<DefaultFolder, 'folder'> | 'in use'> {
  const stats = await stat(folder).catch(() => undefined);
  if (!stats) return {};
  if (!stats.isDirectory() || (await readdir(folder)).length === 0) return 'in use';
  const runs = listJournaledRuns(folder);
  if (runs.some(({ state }) => state === 'active') || (await isListening(folder))) return 'in use';
  const needsRecovery = runs.some(({ state }) => state === 'unexported');
  const movedTo = await renameToFree(folder);
  return movedTo === undefined ? 'in use' : { movedTo, ...(needsRecovery ? { needsRecovery } : {}) };
}

/** Renames a folder to the first free name. Returns undefined if another process has renamed it in the meantime. */
async function renameToFree(folder: string): Promise<string | undefined> {
  for (let n = 1; ; n++) {
    const target = `${folder}.${n}`;
    if (await stat(target).catch(() => undefined)) continue;
    try {
      await rename(folder, target);
      return target;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return undefined;
      if (code !== 'ENOTEMPTY' && code !== 'EEXIST' && code !== 'ENOTDIR') throw toFolderError(folder, error);
    }
  }
}
