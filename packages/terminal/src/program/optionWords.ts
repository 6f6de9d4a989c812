import type { Command } from './command.ts';
import type { Option } from './option.ts';

/** Values of flags in Python, in lower case. */
const FLAG_VALUES: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', 'y', 't', '1'].map(text => [text, true] as const),
  ...['false', 'no', 'n', 'f', '0'].map(text => [text, false] as const),
]);

/** Lists all names of an option in addition to its main name. */
export function listAliases({ aliases = [], hiddenAliases = [] }: Option): string[] {
  return [...aliases, ...hiddenAliases];
}

/**
 * Replaces the spellings of option names and flags that other programs accept: underscores in names, `--no-NAME` and
 * values of flags such as `True`. `-vv` becomes `--vv` if this is the name of an option.
 */
export function normalizeWords(
  { unavailableOptions = [] }: Command,
  options: ReadonlyMap<string, Option>,
  words: readonly string[],
): string[] {
  const flags = listNames([...options].filter(([, { placeholder }]) => placeholder === undefined));
  const known = listNames([...options]);
  const names = new Set([...known, ...unavailableOptions.flatMap(unavailable => unavailable.names)]);
  return words.map(word => {
    const expanded = replaceUnderscores(names, expandLetters(known, word));
    return replaceFlagValue(flags, replaceNegation(flags, known, expanded));
  });
}

function listNames(options: readonly (readonly [name: string, option: Option])[]): Set<string> {
  return new Set(options.flatMap(([name, option]) => [name, ...listAliases(option)]));
}

function expandLetters(names: ReadonlySet<string>, word: string): string {
  const [, letters = ''] = /^-([a-z]{2,})$/.exec(word) ?? [];
  return names.has(letters) ? `-${word}` : word;
}

/** Replaces `--a_b` with `--a-b` if this is the name of an option, also before `=` and after `no`. */
function replaceUnderscores(names: ReadonlySet<string>, word: string): string {
  const [, name, value = ''] = /^--(\w[\w-]*)(=.*)?$/s.exec(word) ?? [];
  if (name === undefined || names.has(name)) return word;
  const spelled = name.replaceAll('_', '-');
  return names.has(spelled) || names.has(spelled.replace(/^no-/, '')) ? `--${spelled}${value}` : word;
}

/** Replaces `--no-NAME` with `--NAME=false`, unless an option has the name `no-NAME`. */
function replaceNegation(flags: ReadonlySet<string>, known: ReadonlySet<string>, word: string): string {
  const [, name] = /^--no-(.+)$/.exec(word) ?? [];
  return name !== undefined && flags.has(name) && !known.has(`no-${name}`) ? `--${name}=false` : word;
}

/** Replaces a value such as `True` or `no` of a flag with `true` or `false`. */
function replaceFlagValue(flags: ReadonlySet<string>, word: string): string {
  const [, name, text = ''] = /^--([\w-]+)=(.*)$/s.exec(word) ?? [];
  const value = FLAG_VALUES.get(text.toLowerCase());
  return name !== undefined && flags.has(name) && value !== undefined ? `--${name}=${value}` : word;
}
