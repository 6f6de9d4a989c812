import type { RunDocument } from '@org/discovery/config';
import { UsageError } from '@org/terminal';
import type { Command } from '@org/terminal/program';
import { formatPath, formatProblems } from '@org/terminal/userFile';
import type { FileOption } from './field.ts';
import { listCanonicalNames } from './mergeOptions.ts';

/** Finds the options of a run file that a message names. */
export function findNamedOptions(
  command: Command,
  options: readonly FileOption[],
  message: string,
): FileOption[] {
  const names = listCanonicalNames(command);
  const toName = (name: string): string => names.get(name) ?? name;
  // The advice names options that are not set.
  const problem = message.replace(/; instead, .*/g, '');
  const words = [...problem.matchAll(/--([a-z][\w-]*)/g)].map(([, name]) => toName(name!));
  return options.filter(({ name }) => words.includes(toName(name)));
}

/** Runs `work`, and adds the lines of the run file that set the options of a message to a `UsageError`. */
export async function withOrigins<T>(
  { command, document, options }: Origins,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const named = findNamedOptions(command, options, error.message);
    const problems = named.map(({ name, path }) =>
      document.file.createProblem(path, `${formatPath(path)} sets --${name}`),
    );
    throw new UsageError([error.message, ...formatProblems(document.path, problems)].join('\n'));
  }
}

/** The options of a run file, and their places. */
export interface Origins {
  readonly command: Command;
  readonly document: RunDocument;
  readonly options: readonly FileOption[];
}
