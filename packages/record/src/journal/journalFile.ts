import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describeSystemError } from '@org/core';
import { JournalWriter, type JournalWriterOptions } from '@org/scrape';
import { RunInputError } from '../runInputError.ts';
import type { RunHeader } from './runHeader.ts';

export const JOURNAL_EXTENSION = '.journal';

/**
 * Creates the journal of a new run in its artifact folder. If the folder already contains a journal of that
 * name, the new journal gets a number (`server_metrics-2.journal`), so that no collected data is overwritten.
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
      // Checking the name beforehand would be a race: another run may create the file in between.
      if (!isNameTaken(error)) throw error;
    }
  }
}

function isNameTaken(error: unknown): boolean {
  const { cause } = error as { cause?: NodeJS.ErrnoException };
  return cause?.code === 'EEXIST';
}

/** The files in a folder that are named like a journal. */
export interface JournalNames {
  /** Names of regular files, sorted. */
  readonly journals: readonly string[];
  /** Names of folders, named pipes, devices and broken links, which cannot be journals. */
  readonly skipped: readonly string[];
}

/** Lists the journals in a folder. Rejects with the system error of `node:fs` if the folder cannot be read. */
export async function listJournals(folder: string): Promise<JournalNames> {
  const names = (await readdir(folder)).filter(name => name.endsWith(JOURNAL_EXTENSION)).sort();
  const areFiles = await Promise.all(
    names.map(name =>
      stat(join(folder, name)).then(
        stats => stats.isFile(),
        () => false,
      ),
    ),
  );
  return {
    journals: names.filter((_, n) => areFiles[n]),
    skipped: names.filter((_, n) => !areFiles[n]),
  };
}

/**
 * Finds a journal: the given file, or the only journal in the given folder.
 *
 * @throws RunInputError if the folder cannot be read, or has no journal or several
 */
export async function findJournal(fileOrFolder: string): Promise<string> {
  if (basename(fileOrFolder).endsWith(JOURNAL_EXTENSION)) return fileOrFolder;
  const quotedPath = JSON.stringify(fileOrFolder);
  const { journals, skipped } = await listJournals(fileOrFolder).catch(error => {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR')
      throw new RunInputError(
        `${quotedPath} is not a journal; expected a folder, or a file *${JOURNAL_EXTENSION}`,
      );
    throw new RunInputError(`cannot read folder ${quotedPath}: ${describeSystemError(error)}`);
  });
  if (journals.length === 1) return join(fileOrFolder, journals[0]!);
  if (journals.length > 1)
    throw new RunInputError(`several journals in ${quotedPath}; specify one of them: ${journals.join(', ')}`);
  throw new RunInputError(
    skipped.length > 0
      ? `no journal in ${quotedPath}; skipped ${skipped.join(', ')}: not a regular file`
      : `no journal in ${quotedPath}; a run removes its journal once all exports are written`,
  );
}
