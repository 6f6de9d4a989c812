import { beforeLateImport, makeOwnFolder } from '@org/run/lifecycle';
import { readConfigOption } from '../config/configoption.ts';
import type { Io } from '../io.ts';
import type { RawOptions } from '../optionvalue.ts';
import { readProfileOptions } from './options.ts';
import { profile } from './profile.ts';
import { profileRuns, readProfileRuns } from './repeat/profileruns.ts';

/** `servelens profile`: one run, or several. Returns the exit code; throws `UsageError`. */
export async function runProfileCommand(raw: RawOptions, argv: readonly string[], io: Io): Promise<number> {
  const file = await readConfigOption(raw, io);
  const several = readProfileRuns(raw, io, file);
  beforeLateImport(); // a token or a certificate may have come out of a pipe
  if (several) return await profileRuns(several, argv, io);
  const options = readProfileOptions(raw, io, file);
  beforeLateImport();
  const folder = options.folderIsOwn ? await makeOwnFolder(options.folder) : options.folder;
  return await profile({ ...options, folder }, argv, io);
}
