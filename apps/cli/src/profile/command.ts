import { makeUniqueFolder } from '@org/run';
import { readConfigOption } from '../config/configoption.ts';
import type { Io } from '../io.ts';
import type { RawOptions } from '../optionvalue.ts';
import { withOptionNames } from '../planErrors.ts';
import { readProfileOptions } from './options.ts';
import { runProfile } from './profile.ts';
import { readProfileRuns, runProfileRuns } from './repeat/profileRuns.ts';

/** Runs `servelens profile`: one run or several. Returns the exit code. Throws `UsageError`. */
export async function runProfileCommand(raw: RawOptions, argv: readonly string[], io: Io): Promise<number> {
  const file = await readConfigOption(raw, io);
  const runs = readProfileRuns(raw, io, file);
  if (runs) return await withOptionNames(() => runProfileRuns(runs, argv, io));
  const options = readProfileOptions(raw, io, file);
  const { plan, hasDefaultFolder } = options;
  const folder = hasDefaultFolder ? await makeUniqueFolder(plan.folder) : plan.folder;
  return await withOptionNames(() => runProfile({ ...options, plan: { ...plan, folder } }, argv, io));
}
