import type { RunDocument } from '@org/discovery/config';
import { UsageError } from '@org/terminal';
import { createLog } from '@org/terminal/live';
import type { Command, CommandContext, RawOptions } from '@org/terminal/program';
import { UserFileError } from '@org/terminal/userFile';
import { mergeOptions } from './mergeOptions.ts';
import { withOrigins } from './origins.ts';
import { type RunFile, readRunFile } from './runFile.ts';

/**
 * Runs `work` with the options of a run file and of the command line. Messages about an option of the file name its
 * line. Throws `UsageError` if the file is invalid; the message lists all problems.
 */
export async function withRunFile<T>(
  command: Command,
  document: RunDocument,
  { io, argv }: CommandContext,
  work: (raw: RawOptions) => Promise<T>,
): Promise<T> {
  const file = await readOrThrow(document);
  try {
    return await withOrigins({ command, document, options: file.options }, async () => {
      const { raw } = mergeOptions(command, file.options, argv.slice(1));
      if (file.ignored.length > 0) createLog(io, raw.quiet === true, () => {}).info(describeIgnored(file));
      return await work(raw);
    });
  } finally {
    file.release();
  }
}

/** Describes the values of a run file that have no effect. */
export function describeIgnored({ document, ignored }: RunFile): string {
  return `${document.path}: ${ignored.join(', ')} ${ignored.length === 1 ? 'has' : 'have'} no effect here`;
}

async function readOrThrow(document: RunDocument): Promise<RunFile> {
  try {
    return await readRunFile(document);
  } catch (error) {
    if (!(error instanceof UserFileError)) throw error;
    throw new UsageError(`invalid configuration file ${document.path}:\n${error.message}`);
  }
}
