import { makeOwnFolder } from '../folder.ts';
import type { Io } from '../io.ts';
import type { RawOptions } from '../optionvalue.ts';
import { UsageError } from '../usage.ts';
import { readProfileOptions } from './options.ts';
import { profile } from './profile.ts';
import { profileRuns, readProfileRuns } from './repeat/profileruns.ts';

/** `servelens profile`: one run, or several. Returns the exit code; throws `UsageError`. */
export async function runProfileCommand(raw: RawOptions, argv: readonly string[], io: Io): Promise<number> {
  checkSwitches(raw, argv);
  const several = readProfileRuns(raw, io);
  if (several) return await profileRuns(several, argv, io);
  const options = readProfileOptions(raw, io);
  const folder = options.folderIsOwn ? await makeOwnFolder(options.folder) : options.folder;
  return await profile({ ...options, folder }, argv, io);
}

/** yargs takes `--streaming=yes` for no. Throws `UsageError` for a switch that is set to anything but true or false. */
function checkSwitches(raw: RawOptions, argv: readonly string[]): void {
  for (const word of argv) {
    const [, name = '', value] = /^--([\w-]+)=(.*)$/s.exec(word) ?? [];
    if (value === undefined || typeof raw[name] !== 'boolean' || /^(?:true|false)$/.test(value)) continue;
    throw new UsageError(
      `--${name} is ${JSON.stringify(value)}; expected true or false, or the option alone`,
    );
  }
}
