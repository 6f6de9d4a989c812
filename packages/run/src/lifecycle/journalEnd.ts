import type { JournalWriter } from '@org/scrape';
import type { Log } from './log.ts';

/** What became of the exports of a run whose journal ends. */
export interface JournalEnd {
  /** Whether all of them are written. */
  readonly isWritten: boolean;
  /** Whether the disk had no room for one. */
  readonly isFull: boolean;
  /** Whether the journal stays beside exports that could all be written. */
  readonly keep: boolean;
  /** The folder as messages name it. */
  readonly folder: string;
  readonly log: Pick<Log, 'warning'>;
}

/** Once all exports are written the journal has served; until then it is what can be recovered, which is said. */
export async function endJournal(journal: JournalWriter, end: JournalEnd): Promise<void> {
  const { isWritten, isFull, keep, folder, log } = end;
  const hasJournal = journal.byteLength > 0;
  try {
    if (isWritten && !keep) await journal.remove();
    else await journal.close();
  } catch (error) {
    log.warning(`cannot remove the journal: ${(error as Error).message}`);
  }
  if (isWritten) return;
  const missed = journal.missedFrames;
  const first = isFull ? 'free some space, then ' : '';
  const recovery = `the journal stays: ${first}servelens recover ${folder}`;
  const loss = missed > 0 ? `${missed} scrape(s) are lost: they could not be written` : '';
  log.warning([hasJournal ? recovery : 'there is no journal', loss].filter(Boolean).join('; '));
}
