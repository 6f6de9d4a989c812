import { parseCommandLine, splitAtDashes } from '@org/terminal/parse';
import type { Command, Option, RawOptions } from '@org/terminal/program';
import type { FileOption } from './field.ts';
import { REPLACED_OPTIONS } from './runFile.ts';

/** The options of a run file that the command line does not set, and the options of both. */
export interface MergedOptions {
  readonly raw: RawOptions;
  readonly fileOptions: readonly FileOption[];
}

/**
 * Parses the options of a run file and of the command line together, so that both have the same meaning and the same
 * checks. Options of the command line take precedence. Throws `UsageError` if an option is invalid or not available.
 *
 * @param words the command line without the name of the command
 */
export function mergeOptions(
  command: Command,
  options: readonly FileOption[],
  words: readonly string[],
): MergedOptions {
  const { ownWords, childCommand } = splitAtDashes(words);
  const given = listGivenOptions(command, ownWords);
  const names = listCanonicalNames(command);
  const fileOptions = options.filter(({ name }) => !given.has(names.get(name) ?? name));
  const fileWords = fileOptions.flatMap(formatWords);
  const end = childCommand === undefined ? [] : ['--', ...childCommand];
  const { config, ...raw } = parseCommandLine(command, [...ownWords, ...fileWords, ...end], '');
  return { raw, fileOptions };
}

/** Lists the options that the command line sets, and the options that these replace. */
function listGivenOptions(command: Command, words: readonly string[]): ReadonlySet<string> {
  const withoutDefaults: Command = {
    ...command,
    optionGroups: command.optionGroups.map(group => ({
      ...group,
      options: Object.fromEntries(
        Object.entries(group.options).map(([name, { default: _, ...option }]) => [name, option as Option]),
      ),
    })),
  };
  const given = Object.keys(parseCommandLine(withoutDefaults, words, ''));
  return new Set(given.flatMap(name => [name, ...(REPLACED_OPTIONS[name] ?? [])]));
}

/** Returns the names of options by their aliases. */
export function listCanonicalNames(command: Command): ReadonlyMap<string, string> {
  const tables = [...command.optionGroups.map(group => group.options), command.ignoredOptions ?? {}];
  return new Map(
    tables
      .flatMap(table => Object.entries(table))
      .flatMap(([name, { aliases = [], hiddenAliases = [] }]) =>
        [name, ...aliases, ...hiddenAliases].map(alias => [alias, name] as const),
      ),
  );
}

/** Formats an option as words of a command line. */
export function formatWords({ name, values }: FileOption): string[] {
  return values.map(value => (value === 'true' ? `--${name}` : `--${name}=${value}`));
}
