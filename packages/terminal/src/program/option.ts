/** The declaration of an option, for the parser and the help. */
export interface Option {
  /**
   * Description in the help. Starts with a capital letter and ends without a period, such as `Scrape timeout
   * in seconds`.
   */
  readonly description: string;
  /** Placeholder of the value in the help, such as SECONDS. An option without a placeholder is a flag. */
  readonly placeholder?: string;
  /** Other names, shown in the help. */
  readonly aliases?: readonly string[];
  /** Other names, not shown in the help. */
  readonly hiddenAliases?: readonly string[];
  /** `list`: takes several values, separated by spaces. `repeat`: takes one value, and is repeatable. */
  readonly many?: 'list' | 'repeat';
  /** True if values may also be separated by commas. */
  readonly acceptsCommas?: true;
  /** True if the value may be omitted; it is then an empty string. */
  readonly isValueOptional?: true;
  /** True if the value may be a secret. Messages show neither the value nor words that may belong to it. */
  readonly isSecret?: true;
  readonly choices?: readonly string[];
  /** Choices of another program that are refused with what to use instead. */
  readonly unavailableChoices?: readonly UnavailableChoices[];
  /** The value if the option is not set. */
  readonly default?: string | number | boolean;
  /** The default in the help, if it is computed or differs from `default`. */
  readonly defaultText?: string;
  /** Names of options that cannot be combined with this option. */
  readonly conflicts?: readonly string[];
}

/** Options of another program that are known, but not available. They are refused with what to use instead. */
export interface UnavailableOptions {
  /** Name of the other program. */
  readonly program: string;
  /** All names of the options, without dashes. */
  readonly names: readonly string[];
  /** The nearest alternative, as a command. */
  readonly instead?: string;
}

/** Values of an option that another program accepts, and that are not available. */
export interface UnavailableChoices {
  /** Name of the other program. */
  readonly program: string;
  readonly values: readonly string[];
  /** The nearest alternative, as a command. */
  readonly instead: string;
}

/** Properties of an option that are optional in its declaration. */
type Details = Omit<Option, 'description' | 'placeholder'>;

/** Declares an option that takes a value. */
export function option(placeholder: string, description: string, details: Details = {}): Option {
  return { placeholder, description, ...details };
}

/** Declares an option without a value. */
export function flag(description: string, details: Details = {}): Option {
  return { description, ...details };
}

/** Options by name, without dashes. */
export type OptionTable = Readonly<Record<string, Option>>;

/** A titled group of options in the help of a command. */
export interface OptionGroup {
  readonly title: string;
  /** The word after `--help` that shows only these options. Required if the command has `commonOptions`. */
  readonly topic?: string;
  readonly options: OptionTable;
}

/** Flags for machine-readable output on stdout. At most one can be set. */
export const OUTPUT_FLAGS: Readonly<Record<'json' | 'markdown' | 'junit' | 'github', Option>> = {
  json: flag('Print JSON', { conflicts: ['markdown', 'junit', 'github'] }),
  markdown: flag('Print Markdown, for example for pull requests', { conflicts: ['json'] }),
  junit: flag('Print JUnit XML, for CI systems', { conflicts: ['json', 'github'] }),
  github: flag('Print annotations for GitHub Actions', { conflicts: ['json', 'junit'] }),
};

/** The flag of commands that print only their result, warnings and errors: no progress, and no notes. */
export const QUIET_OPTION: OptionTable = {
  quiet: flag('Print only the result, warnings and errors', { aliases: ['q'] }),
};

/** Returns the options with the given names, in the order of the names. */
export function pickOptions(table: OptionTable, names: readonly string[]): OptionTable {
  return Object.fromEntries(
    names.map(name => {
      const declaration = table[name];
      if (!declaration) throw new Error(`BUG: there is no option ${name}`);
      return [name, declaration];
    }),
  );
}

/** Returns the table with another default in the help of the option `name`. */
export function withDefaultText(table: OptionTable, name: string, defaultText: string): OptionTable {
  const { [name]: declaration } = pickOptions(table, [name]);
  return { ...table, [name]: { ...declaration!, defaultText } };
}

/** Formats the name of an option as on the command line, such as `-q` or `--quiet`. */
export function formatOptionName(name: string): string {
  return name.length === 1 ? `-${name}` : `--${name}`;
}
