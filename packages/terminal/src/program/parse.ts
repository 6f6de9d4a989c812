import { Parser } from 'yargs/helpers';
import type { Command } from './command.ts';
import { formatOptionName, type Option, type UnavailableOptions } from './option.ts';
import { createOptionError, formatOptionValue, type RawOptions } from './optionValues.ts';
import { listAliases, normalizeWords } from './optionWords.ts';
import { findSimilarWord, UsageError } from './usageError.ts';

/**
 * Parses the options and arguments of a command, and validates them against the command's declarations.
 *
 * @param usage the synopsis of the command, for messages
 * @throws UsageError for an unknown option, an invalid value, or a missing or unexpected argument
 */
export function parseCommandLine(command: Command, words: readonly string[], usage: string): RawOptions {
  const { ownWords: typedWords, childCommand } = splitAtDashes(words);
  const options = new Map([
    ...command.optionGroups.flatMap(group => Object.entries(group.options)),
    ...Object.entries(command.ignoredOptions ?? {}),
  ]);
  const ownWords = normalizeWords(command, options, typedWords);
  const { raw, positionals, unknown } = parseOptions(options, ownWords);
  checkNames(unknown, options, command.unavailableOptions ?? []);
  for (const [name, declaration] of options) checkOption(name, declaration, raw);
  checkFlags(options, ownWords);
  const trailingWords = command.acceptsChildCommand ? [] : (childCommand ?? []);
  const [secretOption] =
    [...options].find(([name, { isSecret }]) => isSecret && raw[name] !== undefined) ?? [];
  return { ...raw, ...assignArguments(command, [...positionals, ...trailingWords], usage, secretOption) };
}

/** Splits words at the first `--`. */
export function splitAtDashes(words: readonly string[]): {
  readonly ownWords: readonly string[];
  readonly childCommand?: readonly string[];
} {
  const end = words.indexOf('--');
  return end < 0
    ? { ownWords: words }
    : { ownWords: words.slice(0, end), childCommand: words.slice(end + 1) };
}

interface ParsedOptions {
  readonly raw: Record<string, unknown>;
  readonly positionals: readonly string[];
  /** Names of options that are not declared. */
  readonly unknown: readonly string[];
}

function parseOptions(options: ReadonlyMap<string, Option>, words: readonly string[]): ParsedOptions {
  const entries = [...options];
  const listNames = (matches: (declaration: Option) => boolean): string[] =>
    entries.filter(([, declaration]) => matches(declaration)).map(([name]) => name);
  const { argv, error } = Parser.detailed([...words], {
    alias: Object.fromEntries(entries.map(([name, declaration]) => [name, listAliases(declaration)])),
    boolean: listNames(({ placeholder }) => placeholder === undefined),
    // Numbers are parsed later, because yargs would turn invalid numbers into NaN.
    string: listNames(({ placeholder }) => placeholder !== undefined),
    array: listNames(({ many }) => many !== undefined),
    // For yargs, NaN means one value or, for a list, at least one.
    narg: Object.fromEntries(
      entries
        .filter(([, { placeholder, isValueOptional }]) => placeholder !== undefined && !isValueOptional)
        .map(([name, { many }]) => [name, many === 'repeat' ? 1 : Number.NaN]),
    ),
    default: Object.fromEntries(
      entries.flatMap(([name, declaration]) =>
        declaration.default === undefined ? [] : [[name, declaration.default]],
      ),
    ),
    configuration: {
      'boolean-negation': false,
      'camel-case-expansion': false,
      'dot-notation': false,
      'parse-positional-numbers': false,
      'strip-aliased': true,
    },
  });
  if (error) throw new UsageError(describeParseError(error));
  const { _: positionals, ...values } = argv;
  const raw = Object.fromEntries(Object.entries(values).filter(([name]) => options.has(name)));
  const unknown = Object.keys(values).filter(name => !options.has(name));
  return { raw, positionals: positionals.map(String), unknown };
}

/** Describes an error of yargs' parser. The only expected error is a missing value. */
function describeParseError({ message }: Error): string {
  const [, name] = /^Not enough arguments following: (.+)$/.exec(message) ?? [];
  return name === undefined ? message : `${formatOptionName(name)} requires a value; see --help`;
}

/** Throws `UsageError` if an option is not declared, with a hint if its name is similar to a declared option. */
function checkNames(
  unknown: readonly string[],
  options: ReadonlyMap<string, Option>,
  unavailable: readonly UnavailableOptions[],
): void {
  const [name, ...others] = unknown;
  if (name === undefined) return;
  rejectUnavailable(unknown, unavailable);
  if (others.length > 0)
    throw new UsageError(`unknown options ${unknown.map(formatOptionName).join(', ')}; see --help`);
  const knownNames = [...options].flatMap(([key, declaration]) => [key, ...listAliases(declaration)]);
  const similar = name.length > 1 ? findSimilarWord(name, knownNames) : undefined;
  const hint = similar === undefined ? 'see --help' : `did you mean --${similar}?`;
  throw new UsageError(`unknown option ${formatOptionName(name)}; ${hint}`);
}

/** Throws `UsageError` if a name belongs to an option that is not available. */
function rejectUnavailable(names: readonly string[], unavailable: readonly UnavailableOptions[]): void {
  const lines = unavailable.flatMap(({ program, names: known, instead }) => {
    const used = names.filter(name => known.includes(name));
    if (used.length === 0) return [];
    const subject = `${program}'s ${used.map(formatOptionName).join(', ')}`;
    const advice = instead === undefined ? '' : `; instead, ${instead}`;
    return [`${subject} ${used.length === 1 ? 'is' : 'are'} not available yet${advice}`];
  });
  if (lines.length > 0) throw new UsageError(lines.join('\n'));
}

/** Splits values at commas, and checks conflicts, repeated values and choices. */
function checkOption(name: string, declaration: Option, raw: Record<string, unknown>): void {
  const { many, acceptsCommas, choices, conflicts = [], isSecret } = declaration;
  const value = raw[name];
  // A flag that is set to false is treated as absent.
  if (value === undefined || value === false) return;
  const conflict = conflicts.find(candidate => raw[candidate] !== undefined && raw[candidate] !== false);
  if (conflict !== undefined) throw new UsageError(`cannot use both --${name} and --${conflict}`);
  if (!many && Array.isArray(value)) {
    const values = isSecret ? '' : `, to ${value.map(formatOptionValue).join(' and ')}`;
    throw new UsageError(`--${name} is set ${value.length} times${values}; expected one value`);
  }
  if (acceptsCommas) raw[name] = [value].flat().flatMap(text => splitAtCommas(String(text)));
  if (choices) raw[name] = replaceChoices(name, raw[name], declaration);
}

/** Replaces values with the choices that they name. The case of letters, dashes and underscores do not matter. */
function replaceChoices(name: string, value: unknown, declaration: Option): unknown {
  if (Array.isArray(value)) return value.map(item => replaceChoices(name, item, declaration));
  const { choices = [], unavailableChoices = [] } = declaration;
  const choice = findChoice(choices, value);
  if (choice !== undefined) return choice;
  for (const { program, values, instead } of unavailableChoices)
    if (findChoice(values, value) !== undefined)
      throw new UsageError(
        `${program}'s value ${formatOptionValue(value)} of --${name} is not available yet; instead, ${instead}`,
      );
  throw createOptionError(name, value, `one of ${choices.join(', ')}`);
}

/** Splits a list at its commas. A comma in the query of a URL, or after `exact:`, separates only if another URL follows. */
function splitAtCommas(text: string): string[] {
  return text.split(/\?|^exact:/.test(text) ? /,(?=\s*(?:exact:|https?:\/\/))/ : ',');
}

function findChoice(choices: readonly string[], value: unknown): string | undefined {
  return choices.find(candidate => normalizeChoice(candidate) === normalizeChoice(String(value)));
}

function normalizeChoice(text: string): string {
  return text.toLowerCase().replaceAll('-', '_');
}

/** Checks that flags have no value other than `true` or `false`: yargs silently reads `--json=yes` as false. */
function checkFlags(options: ReadonlyMap<string, Option>, words: readonly string[]): void {
  const flags = new Set(
    [...options]
      .filter(([, { placeholder }]) => placeholder === undefined)
      .flatMap(([name, declaration]) => [name, ...listAliases(declaration)]),
  );
  for (const word of words) {
    const [, dashes, name, value = ''] = /^(--?)([\w-]+)=(.*)$/s.exec(word) ?? [];
    if (name === undefined || /^(?:true|false)$/.test(value)) continue;
    // In `-vq=yes`, the value belongs to the last letter.
    const key = dashes === '-' ? name.slice(-1) : name;
    if (!flags.has(key)) continue;
    throw new UsageError(`invalid ${dashes}${key} ${JSON.stringify(value)}: expected true or false`);
  }
}

/**
 * Assigns words to the arguments of a command. If `secretOption` is set, messages do not show an unexpected
 * word, because it may be part of an unquoted secret.
 */
function assignArguments(
  { arguments: declared = [], acceptsChildCommand }: Command,
  words: readonly string[],
  usage: string,
  secretOption: string | undefined,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  let nextIndex = 0;
  for (const { name, placeholder, isList, isOptional } of declared) {
    const assigned = isList ? words.slice(nextIndex) : words.slice(nextIndex, nextIndex + 1);
    nextIndex += assigned.length;
    if (assigned.length > 0) values[name] = isList ? assigned : assigned[0];
    else if (!isOptional) throw new UsageError(`missing ${placeholder}; expected ${usage}; see --help`);
  }
  const unexpectedWord = words[nextIndex];
  if (unexpectedWord === undefined) return values;
  if (secretOption !== undefined)
    throw new UsageError(`unexpected argument (value hidden); quote the value of --${secretOption}`);
  const hint = acceptsChildCommand ? 'a command must follow --' : 'see --help';
  throw new UsageError(`unexpected argument ${JSON.stringify(unexpectedWord)}; ${hint}`);
}
