import type { OptionGroup, OptionTable, UnavailableOptions } from './option.ts';
import type { RawOptions } from './optionValues.ts';

/** An output stream of a program. */
export interface OutputStream extends NodeJS.WritableStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
}

/** The parts of the process that commands use. Tests replace them. */
export interface Io {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Working directory. */
  readonly cwd: string;
}

/** A positional argument. Only the last argument of a command can be a list or optional. */
export interface Argument {
  /** Key of the argument's value in `RawOptions`. */
  readonly name: string;
  /** Placeholder of the value in the help, such as RUN. */
  readonly placeholder: string;
  readonly description: string;
  /** True if the argument takes all remaining words: at least one, unless it is optional. */
  readonly isList?: true;
  readonly isOptional?: true;
}

/** A term of the help and its description, such as a command or an option. */
export interface HelpEntry {
  readonly term: string;
  readonly description: string;
}

/** A section of the help: a titled list of entries. */
export interface HelpSection {
  readonly title: string;
  readonly entries: readonly HelpEntry[];
}

/** An example in the help: a command line and its description. */
export interface HelpExample {
  readonly command: string;
  readonly description: string;
}

/** Inputs of a command in addition to its options. */
export interface CommandContext {
  readonly io: Io;
  /** Command-line arguments, starting with the name of the command. */
  readonly argv: readonly string[];
  /** Version of the program. */
  readonly version: string;
  /** The arguments after `--`, for commands that accept another command; undefined without `--`. */
  readonly childCommand?: readonly string[];
}

/** A command: its arguments and options, its help, and the function that runs it. */
export interface Command {
  /** The synopsis after the name of the command; by default, `[options]` and the arguments. */
  readonly usage?: string;
  readonly arguments?: readonly Argument[];
  readonly optionGroups: readonly OptionGroup[];
  /**
   * Names of the options that `--help` shows. The other options are shown by `--help TOPIC` and `--help all`. By
   * default, `--help` shows all options.
   */
  readonly commonOptions?: readonly string[];
  /** Options of another program that are accepted without effect, and not shown in the help. */
  readonly ignoredOptions?: OptionTable;
  /** Options of another program that are refused with what to use instead. */
  readonly unavailableOptions?: readonly UnavailableOptions[];
  /** Sections of the help after the options. */
  readonly sections?: readonly HelpSection[];
  readonly examples: readonly HelpExample[];
  /** Paragraphs of the help after the examples. */
  readonly notes?: readonly string[];
  /** Meaning of each exit code, for the help. */
  readonly exitCodes?: readonly (readonly [code: string, meaning: string])[];
  /** True if `--` precedes the command line of a child process. Otherwise, positional arguments follow it. */
  readonly acceptsChildCommand?: true;
  /**
   * Runs the command and returns the exit code. Throws `UsageError` if options or inputs are invalid. Imports
   * modules that only this command needs.
   */
  readonly run: (raw: RawOptions, context: CommandContext) => Promise<number>;
}

/** A program, or a group of commands in a program. */
export interface Program {
  readonly name: string;
  readonly description: string;
  readonly commands: readonly CommandEntry[];
  /** Options that all commands have, such as `--quiet`. Nested programs inherit them. */
  readonly sharedOptions?: OptionTable;
  /** The package.json with the version of the program. A nested program has the version of its parent program. */
  readonly packageFile: URL;
  /**
   * Reports whether an error is caused by the user's input. The message of such an error is printed without a
   * stack trace, and the exit code is 2.
   */
  readonly isUserError?: (error: unknown) => boolean;
}

/**
 * A command as listed by its program. The module of the command is loaded when the command runs, which keeps
 * `--help` fast.
 */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  /** Loads a command, or a nested program. */
  readonly load: () => Promise<Command | NestedProgram>;
}

/** A program that is a command of another program, such as `servelens read`. */
export type NestedProgram = Omit<Program, 'name' | 'packageFile'>;
