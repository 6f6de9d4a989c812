import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { listJournals } from '../journal/journalFile.ts';
import { findRunFolders } from '../listRuns.ts';

/** Matches the journals of runs, but not the journal with the plan of repeated runs. */
const RUN_JOURNAL = /(?:^|_)(?:server_metrics|profile)(?:-\d+)?\.journal$/;

/**
 * Finds the journal that was written last, in the folder of a run, or in the folders of repeated runs or a sweep. Returns
 * undefined if no journal was written at or after `sinceMs`, in milliseconds since 1970.
 */
export async function findNewestJournal(folder: string, sinceMs = 0): Promise<string | undefined> {
  const folders = [folder, ...(await findRunFolders(folder))];
  const paths = (await Promise.all(folders.map(listRunJournals))).flat();
  const times = await Promise.all(paths.map(getWriteTime));
  const newest = Math.max(...times);
  return newest > 0 && newest >= sinceMs ? paths[times.indexOf(newest)] : undefined;
}

async function listRunJournals(folder: string): Promise<string[]> {
  const { journals } = await listJournals(folder).catch(() => ({ journals: [] }));
  return journals.filter(name => RUN_JOURNAL.test(name)).map(name => join(folder, name));
}

/** Returns the time of the last write to a file; 0 if it no longer exists. */
async function getWriteTime(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.mtimeMs ?? 0;
}
