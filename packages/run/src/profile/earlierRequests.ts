import { existsSync, readdirSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { RunInputError } from '@org/record';
import { JOURNAL_EXTENSION, type RunHeader } from '@org/record/journal';
import { JournalError, readJournal } from '@org/scrape';
import type { RunPlan } from '../plan/runPlan.ts';
import { getProfilePaths } from './profilePaths.ts';

/** Paths of the renamed requests file of an earlier run and of its journal. */
export interface EarlierRequests {
  readonly journal: string;
  readonly requests: string;
}

/**
 * Renames the requests file of an earlier run in the same folder after that run's journal, so that this run
 * does not overwrite it. Returns undefined if there is no such file, or if that run's journal was deleted,
 * because the run can then no longer be recovered.
 */
export function renameEarlierRequests({
  folder,
  prefix,
}: Pick<RunPlan, 'folder' | 'prefix'>): EarlierRequests | undefined {
  const { jsonl } = getProfilePaths(folder, prefix);
  if (!existsSync(jsonl)) return undefined;
  const journal = listJournals(folder).find(
    path => !existsSync(toRequestsPath(path)) && isProfileJournal(path, prefix),
  );
  if (journal === undefined) return undefined;
  const requests = toRequestsPath(journal);
  renameSync(jsonl, requests);
  return { journal, requests };
}

/**
 * Returns the path of the requests file of a run. Throws `RunInputError` if a later run has written its
 * exports to the folder.
 */
export function findRequestsFile(journal: string, prefix: string | undefined): string {
  const { jsonl } = getProfilePaths(dirname(journal), prefix);
  const renamed = toRequestsPath(journal);
  if (!existsSync(renamed)) return jsonl;
  if (existsSync(jsonl))
    throw new RunInputError(
      `${dirname(journal)} contains the exports of a later run, which would be overwritten; first move ${basename(journal)} and ${basename(renamed)} to another folder`,
    );
  return renamed;
}

/** Returns the path that a requests file is renamed to, such as `server_metrics.requests.jsonl`. */
function toRequestsPath(journal: string): string {
  return `${journal.slice(0, -JOURNAL_EXTENSION.length)}.requests.jsonl`;
}

function listJournals(folder: string): string[] {
  const names = readdirSync(folder).filter(name => name.endsWith(JOURNAL_EXTENSION));
  return names.map(name => join(folder, name));
}

/** Reports whether a journal belongs to a profile run with this prefix, according to its first record. */
function isProfileJournal(journal: string, prefix: string | undefined): boolean {
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
