import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describeSystemError } from '@org/core';
import { JournalWriter, type JournalWriterOptions } from '@org/scrape';
import { RunInputError } from '../runInputError.ts';
import type { RunHeader } from './runHeader.ts';

export const JOURNAL_EXTENSION = '.journal';

/**
 * Opens the journal of a new run in its folder. If an earlier run left a journal of the same name, the new one gets a
 * number (`server_metrics-2.journal`), so no collected data is overwritten.
 */
export function openJournal(folder: string, header: RunHeader, options: JournalWriterOptions): JournalWriter {
  const { prefix } = header.exports;
  const name = header.profile?.hasServers === false ? 'profile' : 'server_metrics';
  const stem = prefix === undefined ? name : `${prefix}_${name}`;
  for (let n = 1; ; n++) {
    const path = join(folder, n === 1 ? stem + JOURNAL_EXTENSION : `${stem}-${n}${JOURNAL_EXTENSION}`);
    try {
      return JournalWriter.open(path, header, options);
    } catch (error) {
      // The name is not checked before the file is opened, because another run may take it in between.
      if (!isNameTaken(error)) throw error;
    }
  }
}

function isNameTaken(error: unknown): boolean {
  const { cause } = error as { cause?: NodeJS.ErrnoException };
  return cause?.code === 'EEXIST';
}

/** Reports whether the folder already had a journal of this name when the journal was opened. */
export function isNumberedJournal(path: string): boolean {
  return /-\d+\.journal$/.test(path);
}

/**
 * Finds a journal: the given file, or the only journal in the given folder.
 *
 * @throws RunInputError if the folder cannot be read, or has no journal or several
 */
export async function findJournal(fileOrFolder: string): Promise<string> {
  if (basename(fileOrFolder).endsWith(JOURNAL_EXTENSION)) return fileOrFolder;
  const names = await readdir(fileOrFolder).catch(error => {
    const shown = JSON.stringify(fileOrFolder);
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR')
      throw new RunInputError(
        `${shown} is not a journal; expected a folder, or a file *${JOURNAL_EXTENSION}`,
      );
    throw new RunInputError(`cannot read folder ${shown}: ${describeSystemError(error)}`);
  });
  const journals = names.filter(name => name.endsWith(JOURNAL_EXTENSION)).sort();
  if (journals.length === 1) return join(fileOrFolder, journals[0]!);
  if (journals.length === 0) {
    throw new RunInputError(
      `no journal in ${JSON.stringify(fileOrFolder)}; a run removes its journal once all exports are written`,
    );
  }
  throw new RunInputError(
    `several journals in ${JSON.stringify(fileOrFolder)}; name one of them: ${journals.join(', ')}`,
  );
}
