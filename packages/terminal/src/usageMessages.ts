import { findSimilarWord } from './suggestion.ts';

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
 */
export function describeUsageError(message: string, options: readonly string[]): string {
  const problem = message.replace(/^Invalid values:\s*/, '');
  const [, name] = /^unknown option --(\S{2,})$/.exec(problem) ?? [];
  const similar = name === undefined ? undefined : findSimilarWord(name, options);
  return `${problem}; ${similar === undefined ? 'see --help' : `did you mean --${similar}?`}`;
}

/** Lists the options that yargs knows, given the usage object that it passes to `fail`. */
export function listOptions(usage: unknown): string[] {
  // Its declared type lacks this method.
  const { getDescriptions } = usage as { getDescriptions?: () => object };
  return getDescriptions ? Object.keys(getDescriptions()) : [];
}
