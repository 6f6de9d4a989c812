import yargs from 'yargs';
import { type CollectOptions, readCollectOptions } from '../../src/collect/collectOptions.ts';
import { collectCommand } from '../../src/commands/collect.ts';
import { type Command, declareCommand } from '../../src/commands/command.ts';
import { profileCommand } from '../../src/commands/profile.ts';
import type { RawOptions } from '../../src/options/optionValues.ts';
import { type ProfileOptions, readProfileOptions } from '../../src/profile/profileOptions.ts';
import { createIo } from './io.ts';

/** Working directory of the tests that only read options. The folder does not exist. */
export const HOME = '/home/me';

/** Parses the words after `servelens`. Unlike `main`, accepts unknown options. Throws errors of the parser. */
export function parseWords(command: Command, words: readonly string[]): RawOptions {
  const configuration = { 'populate--': true, 'boolean-negation': false };
  return declareCommand(yargs().parserConfiguration(configuration), command)
    .exitProcess(false)
    .fail(false)
    .parseSync([...words]);
}

/** Reads the options of `servelens collect`. */
export async function readCollect(
  words: readonly string[],
  cwd: string = HOME,
  env: Readonly<Record<string, string>> = {},
): Promise<CollectOptions> {
  return readCollectOptions(parseWords(collectCommand, ['collect', ...words]), createIo(cwd, env), 'run-1');
}

/** Reads the options of `servelens profile`, except for --config. */
export function readProfile(
  words: readonly string[],
  cwd: string = HOME,
  env: Readonly<Record<string, string>> = {},
): ProfileOptions {
  return readProfileOptions(parseWords(profileCommand, ['profile', ...words]), createIo(cwd, env));
}

/** Splits a line without quotes into words. */
export function splitWords(line: string): string[] {
  return line.split(' ').filter(word => word !== '');
}
