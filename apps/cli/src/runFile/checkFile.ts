import { formatCount } from '@org/core';
import type { ConfigFile } from '@org/discovery/config';
import { stringifyJson } from '@org/formats/write';
import type { Io } from '@org/terminal/program';

/** Exit code of an invalid file. */
const INVALID = 1;

/** The description of a valid file. */
export interface FileDescription {
  readonly text: string;
  /** The same for programs, without secrets. */
  readonly document: Readonly<Record<string, unknown>>;
}

/** A file to check, and the form of the output. */
export interface FileCheck {
  readonly path: string;
  readonly isJson: boolean;
  /** True to print nothing about a valid file, unless as JSON. */
  readonly isQuiet: boolean;
  readonly io: Io;
}

/**
 * Reads a configuration file and prints its description, or all problems of an invalid file. Returns the exit code.
 * Throws `UsageError` if the file cannot be read.
 */
export async function checkFile(
  { path, isJson, isQuiet, io }: FileCheck,
  describe: (file: ConfigFile) => Promise<FileDescription>,
): Promise<number> {
  const { ConfigError, formatProblems, readConfigFile } = await import('@org/discovery/config');
  const print = (text: string, document: object): void => {
    io.stdout.write(`${isJson ? stringifyJson({ file: path, ...document }, 2) : text}\n`);
  };
  try {
    const { text, document } = await describe(readConfigFile(path, io));
    if (isJson || !isQuiet) print(text, { valid: true, ...document });
    return 0;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const { problems } = error;
    const lines = [...formatProblems(path, problems), `${path}: ${formatCount(problems.length, 'problem')}`];
    print(lines.join('\n'), { valid: false, problems });
    return INVALID;
  }
}
