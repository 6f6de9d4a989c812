import { quoteShellPath } from '@org/core';
import { makeDefaultFolder } from '@org/run';
import { createLog } from '@org/terminal/live';
import type { Io } from '@org/terminal/program';
import { formatFolder } from '../log/runMessages.ts';

/**
 * Creates a folder with a default name, and returns its path. Logs a line if the files of an earlier run were moved.
 */
export async function claimDefaultFolder(name: string, io: Io, quiet: boolean): Promise<string> {
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
