import { makeOwnFolder } from '../folder.ts';
import type { Io } from '../io.ts';
import type { RawOptions } from '../optionvalue.ts';
import { readProfileOptions } from './options.ts';
import { profile } from './profile.ts';
import { profileRuns, readProfileRuns } from './repeat/profileruns.ts';

/** `servelens profile`: one run, or several. Returns the exit code; throws `UsageError`. */
export async function runProfileCommand(raw: RawOptions, argv: readonly string[], io: Io): Promise<number> {
  const several = readProfileRuns(raw, io);
  if (several) return await profileRuns(several, argv, io);
  const options = readProfileOptions(raw, io);
  const folder = options.folderIsOwn ? await makeOwnFolder(options.folder) : options.folder;
  return await profile({ ...options, folder }, argv, io);
}
