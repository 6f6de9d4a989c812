import { findSimilarWord } from './suggestion.ts';
import { UsageError } from './usageError.ts';

/** Messages for yargs' `updateStrings`. They name options as typed, and do not depend on the system's language. */
export const USAGE_MESSAGES: Readonly<
  Record<string, string | { readonly one: string; readonly other: string }>
> = {
  'Argument: %s, Given: %s, Choices: %s': 'invalid --%s %s: expected one of %s',
  'Not enough arguments following: %s': '--%s requires a value',
  'Unknown argument: %s': { one: 'unknown option --%s', other: 'unknown options %s' },
  'Unknown command: %s': { one: 'unexpected argument: %s', other: 'unexpected arguments: %s' },
  'Not enough non-option arguments: got %s, need at least %s': {
    one: 'missing argument: got %s, expected %s',
    other: 'missing argument: got %s, expected %s',
  },
};

/**
 * Completes a message of yargs with the option that was probably meant, or a pointer to `--help`.
 *
 * @param message one of `USAGE_MESSAGES`, formatted
 * @param options the names of all options
 * @param usageLine the expected command line, for messages about missing arguments
 */
export function describeUsageError(message: string, options: readonly string[], usageLine?: string): string {
  const problem = message.replace(/^Invalid values:\s*/, '');
  if (usageLine !== undefined && problem.startsWith('missing argument'))
    return `missing argument; expected ${usageLine}; see --help`;
  const [, name] = /^unknown option --(\S{2,})$/.exec(problem) ?? [];
  const similar = name === undefined ? undefined : findSimilarWord(name, options);
  return `${problem}; ${similar === undefined ? 'see --help' : `did you mean --${similar}?`}`;
}

/** Throws `UsageError` if a command line starts with a word that is not a command. */
export function checkCommandName(argv: readonly string[], commands: readonly string[]): void {
  const [word] = argv;
  if (word === undefined || word.startsWith('-') || commands.includes(word)) return;
  const similar = findSimilarWord(word, commands);
  const hint = similar === undefined ? 'see --help' : `did you mean ${similar}?`;
  throw new UsageError(`unknown command ${JSON.stringify(word)}; ${hint}`);
}

/**
 * Returns the command line of the command that failed, such as `recover RUN`, given the usage object that yargs passes to `fail`;
 * undefined if yargs does not know the command.
 */
export function findUsageLine(usage: unknown): string | undefined {
  // Its declared type lacks this method.
  const { getUsage } = usage as { getUsage?: () => readonly (readonly string[])[] };
  const line = getUsage?.()[0]?.[0];
  return line
    ?.replace(/^\$0\s*/, '')
    .replace(
      /[<[](\w+)(\.\.)?[>\]]/g,
      (_, name: string, list?: string) => name.toUpperCase() + (list ? '...' : ''),
    );
}

/** Lists the options that yargs knows, given the usage object that it passes to `fail`. */
export function listOptions(usage: unknown): string[] {
  // Its declared type lacks this method.
  const { getDescriptions } = usage as { getDescriptions?: () => object };
  return getDescriptions ? Object.keys(getDescriptions()) : [];
}
