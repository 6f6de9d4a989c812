import { parseCommandLine, splitAtDashes } from '@org/terminal/parse';
import { type CollectOptions, readCollectOptions } from '../../src/collect/collectOptions.ts';
import { collectCommand } from '../../src/commands/collect.ts';
import { profileCommand } from '../../src/commands/profile.ts';
import { type ProfileOptions, readProfileOptions } from '../../src/profile/profileOptions.ts';
import { createIo } from './io.ts';

/** Working directory of the tests that only read options. The folder does not exist. */
export const HOME = '/home/me';

/** Reads the options of `servelens collect`. */
export async function readCollect(words: readonly string[], cwd: string = HOME): Promise<CollectOptions> {
  const raw = parseCommandLine(collectCommand, words, 'servelens collect');
  const { childCommand } = splitAtDashes(words);
  const context = { io: createIo(cwd), ...(childCommand ? { childCommand } : {}) };
  return readCollectOptions(raw, context, 'run-1');
}

/** Reads the options of `servelens profile`, except for --config. */
export function readProfile(
  words: readonly string[],
  cwd: string = HOME,
  env: Readonly<Record<string, string>> = {},
): ProfileOptions {
  const raw = parseCommandLine(profileCommand, words, 'servelens profile');
  return readProfileOptions(raw, createIo(cwd, env));
}

/** Splits a line without quotes into words. */
export function splitWords(line: string): string[] {
  return line.split(' ').filter(word => word !== '');
}
