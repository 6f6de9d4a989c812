import { rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { quoteShellPath } from '@org/core';
import { makeDefaultFolder } from '@org/run';
import { createLog } from '@org/terminal/live';
import type { Io } from '@org/terminal/program';
import { formatFolder } from '../log/runMessages.ts';

/** The folder of a run, and whether its name was chosen by the program. */
interface RunFolder {
  readonly folder: string;
  readonly isDefault: boolean;
  readonly quiet: boolean;
}

/**
 * Runs `work` with the folder of a run, which is created if it has a default name. If it is empty afterwards, because the command
 * has failed, it is removed with its parent, if that is empty as well.
 */
export async function withRunFolder<T>(
  { folder, isDefault, quiet }: RunFolder,
  io: Io,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  if (!isDefault) return await work(folder);
  const claimed = await claimDefaultFolder(folder, io, quiet);
  try {
    return await work(claimed);
  } finally {
    await removeIfEmpty(claimed);
  }
}

/** Removes a folder and its parent, as far as they are empty. */
async function removeIfEmpty(folder: string): Promise<void> {
  try {
    await rmdir(folder);
    await rmdir(dirname(folder));
  } catch {
    // The run has files, or another run uses the parent.
  }
}

/**
 * Creates a folder with a default name, and returns its path. Logs a line if the files of an earlier run were moved.
 */
async function claimDefaultFolder(name: string, io: Io, quiet: boolean): Promise<string> {
  const { folder, movedTo, needsRecovery } = await makeDefaultFolder(name);
  if (movedTo === undefined) return folder;
  const target = formatFolder(movedTo, io);
  const message = `moved the files of an earlier run to ${target}`;
  const log = createLog(io, quiet);
  if (needsRecovery)
    log.warning(`${message}; to write its exports, run: servelens recover ${quoteShellPath(target)}`);
  else log.info(message);
  return folder;
}
