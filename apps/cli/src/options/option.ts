import type { Options as YargsOptions } from 'yargs';

/** The declaration of an option, for the parser and the help. */
export interface Option {
  readonly description: string;
  /** Other names, shown in the help. */
  readonly aliases?: readonly string[];
  /** Other names, not shown in the help. */
  readonly hiddenAliases?: readonly string[];
  /** Placeholder of the value in the help, such as SECONDS. An option without one is a flag. */
  readonly placeholder?: string;
  /** Numbers are parsed when the option is read, because yargs would turn invalid ones into NaN. Default: text. */
  readonly type?: 'text' | 'number';
  /** `list`: takes several values, separated by spaces. `repeat`: takes one value, and is repeatable. */
  readonly many?: 'list' | 'repeat';
  /** The value may be omitted. */
  readonly isValueOptional?: true;
  readonly choices?: readonly string[];
  /** The value if the option is not set. */
  readonly default?: string | number | boolean;
  /** The default in the help, if it is computed or differs from `default`. */
  readonly defaultText?: string;
  readonly conflicts?: readonly string[];
  /** Converts the value before it is compared with the choices. */
  readonly coerce?: (value: unknown) => unknown;
}

/** Optional properties of an option. */
type Details = Omit<Option, 'description' | 'placeholder' | 'type'>;

/** Declares an option that takes a text. */
export function text(placeholder: string, description: string, details: Details = {}): Option {
  return { placeholder, description, ...details };
}

/** Declares an option that takes a number. */
export function number(placeholder: string, description: string, details: Details = {}): Option {
  return { placeholder, type: 'number', description, ...details };
}

/** Declares an option without a value. */
export function flag(description: string, details: Details = {}): Option {
  return { description, ...details };
}

/** Options by name, without dashes. */
export type OptionTable = Readonly<Record<string, Option>>;

/** Returns the named options of a table, in the order of the names. */
export function pickOptions(table: OptionTable, names: readonly string[]): OptionTable {
  return Object.fromEntries(
    names.map(name => {
      const option = table[name];
      if (!option) throw new Error(`BUG: there is no option ${name}`);
      return [name, option];
    }),
  );
}

/** Returns options with another default in their help, for a single command. */
export function withDefault(table: OptionTable, name: string, defaultText: string): OptionTable {
  const { [name]: option } = pickOptions(table, [name]);
  return { ...table, [name]: { ...option!, defaultText } };
}

/** Returns options whose help says that they default to the values of the exported run. */
export function withDefaultsOfRun(table: OptionTable): OptionTable {
  const entries = Object.entries(table).map(([name, option]) => [
    name,
    { ...option, defaultText: 'value of the run' },
  ]);
  return Object.fromEntries(entries);
}

/** Converts an option to its declaration in yargs. */
export function toYargsOption(option: Option): YargsOptions {
  const { aliases = [], hiddenAliases = [], placeholder, type, many, choices, conflicts, coerce } = option;
  const names = [...aliases, ...hiddenAliases];
  return {
    ...(placeholder === undefined ? { boolean: true } : {}),
    ...(placeholder !== undefined && type !== 'number' && !option.isValueOptional ? { string: true } : {}),
    ...(placeholder !== undefined && !option.isValueOptional ? { requiresArg: true } : {}),
    ...(names.length > 0 ? { alias: names } : {}),
    ...(many ? { array: true } : {}),
    ...(many === 'repeat' ? { nargs: 1 } : {}),
    ...(choices ? { choices } : {}),
    ...(conflicts ? { conflicts } : {}),
    ...(coerce ? { coerce } : {}),
    ...(option.default === undefined ? {} : { default: option.default }),
  };
}
