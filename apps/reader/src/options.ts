import type { Options } from 'yargs';

/** An option that takes one text and is repeatable. */
export const REPEATABLE = { type: 'string', array: true, nargs: 1 } as const;

/** Options that several commands share. */
export const JSON_OPTION: Options = { type: 'boolean', describe: 'Print JSON' };
export const MARKDOWN_OPTION: Options = {
  type: 'boolean',
  describe: 'Print Markdown, such as for pull requests',
};

/** Options as yargs parsed them. */
export type RawOptions = Readonly<Record<string, unknown>>;

/** Returns the values of a repeatable option; none if the option is not set. */
export function toTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
