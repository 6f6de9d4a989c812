import { formatCount } from '@org/core';
import type { ConfigFile } from '@org/discovery/config';
import type { Io } from '@org/terminal/program';

/** Exit code of an invalid file. */
const INVALID = 1;

/**
 * Reads a configuration file and prints its description, or all problems of an invalid file. Returns the exit code.
 * Throws `UsageError` if the file cannot be read.
 */
export async function checkFile(
  path: string,
  io: Io,
  describe: (file: ConfigFile) => Promise<string>,
): Promise<number> {
  const { ConfigError, formatProblems, readConfigFile } = await import('@org/discovery/config');
  try {
    io.stdout.write(`${await describe(readConfigFile(path, io))}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const { problems } = error;
    io.stdout.write(
      `${[...formatProblems(path, problems), `${path}: ${formatCount(problems.length, 'problem')}`].join('\n')}\n`,
    );
    return INVALID;
  }
}
