import { existsSync, readdirSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { RunInputError } from '@org/record';
import { JOURNAL_EXTENSION, type RunHeader } from '@org/record/journal';
import { JournalError, readJournal } from '@org/scrape';
import type { Log } from '../lifecycle/log.ts';
import { profileFiles } from './profileFiles.ts';
import type { ProfileOptions } from './profilePlan.ts';

/**
 * Keeps the requests of an earlier run in this folder, whose journal lies there still: it was killed, or is to be kept. They get
 * the name of that journal.
 */
export function setAsideRequests({ folder, prefix }: ProfileOptions, log: Log): void {
  const { jsonl } = profileFiles(folder, prefix);
  if (!existsSync(jsonl)) return;
  const journal = journalsIn(folder).find(path => !existsSync(ownRequests(path)) && isOf(path, prefix));
  if (journal === undefined) return;
  const aside = ownRequests(journal);
  renameSync(jsonl, aside);
  log.info(
    `the requests of an earlier run, of which ${basename(journal)} is, are kept as ${basename(aside)}`,
  );
}

/** Where the requests of a run are, by its journal. Throws `RunInputError` when the folder has been used by a later run. */
export function requestsOf(journal: string, prefix: string | undefined): string {
  const { jsonl } = profileFiles(dirname(journal), prefix);
  const aside = ownRequests(journal);
  if (!existsSync(aside)) return jsonl;
  if (existsSync(jsonl))
    throw new RunInputError(
      `${dirname(journal)} has the exports of a later run, which would be replaced; move ${basename(journal)} and ${basename(aside)} to a folder of their own first`,
    );
  return aside;
}

/** `server_metrics.requests.jsonl`. */
function ownRequests(journal: string): string {
  return `${journal.slice(0, -JOURNAL_EXTENSION.length)}.requests.jsonl`;
}

function journalsIn(folder: string): string[] {
  const names = readdirSync(folder).filter(name => name.endsWith(JOURNAL_EXTENSION));
  return names.map(name => join(folder, name));
}

/** Whether it is the journal of a profile run whose files begin like this; its first record says so. */
function isOf(journal: string, prefix: string | undefined): boolean {
  try {
    for (const record of readJournal(journal)) {
      if (record.kind !== 'run') return false;
      const header = record.run as Partial<RunHeader>;
      return header.profile !== undefined && header.exports?.prefix === prefix;
    }
  } catch (error) {
    if (!(error instanceof JournalError) && (error as NodeJS.ErrnoException).code === undefined) throw error;
  }
  return false;
}
