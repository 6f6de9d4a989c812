import type { HelpExample, HelpSection } from '@org/terminal/layout';
import type { Argv } from 'yargs';
import type { Io } from '../io.ts';
import { type OptionTable, toYargsOption } from '../options/option.ts';
import type { RawOptions } from '../options/optionValues.ts';

/** A titled group of options in the help of a command. */
export interface OptionGroup {
  readonly title: string;
  readonly options: OptionTable;
}

/** A positional argument. */
export interface Argument {
  readonly name: string;
  readonly placeholder: string;
  readonly description: string;
  readonly isList?: true;
}

/** Inputs of a command in addition to its options. */
export interface CommandContext {
  readonly io: Io;
  /** The words of the command line. */
  readonly argv: readonly string[];
}

/** A command: its arguments and options, its help, and the function that runs it. */
export interface Command {
  /** The command line after the name of the command, such as `[options] FOLDER`. */
  readonly usage: string;
  readonly arguments?: readonly Argument[];
  readonly optionGroups: readonly OptionGroup[];
  /** Sections of the help after the options. */
  readonly sections?: readonly HelpSection[];
  readonly examples: readonly HelpExample[];
  /** Lines after the examples, such as exit codes. */
  readonly notes?: readonly string[];
  /** Accepts words that are not declared as arguments. The command reports them itself. */
  readonly acceptsExtraWords?: true;
  /** Runs the command and returns the exit code. Throws `UsageError`. Imports modules that only this command needs. */
  readonly run: (raw: RawOptions, context: CommandContext) => Promise<number>;
}

/** Replaces the argument `-`, which yargs would drop. Arguments of a process cannot contain NUL. */
export const STDIN_ARGUMENT = '\0stdin';

/** Declares the arguments and options of a command on a yargs parser. */
export function declareCommand(parser: Argv, command: Command): Argv {
  for (const { name, isList } of command.arguments ?? [])
    parser.positional(name, { type: 'string', ...(isList ? { array: true } : {}) });
  for (const { options } of command.optionGroups)
    for (const [name, option] of Object.entries(options)) parser.option(name, toYargsOption(option));
  return command.acceptsExtraWords ? parser.strictCommands(false) : parser;
}
