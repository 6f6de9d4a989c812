import { dirname } from 'node:path';
import { isNumberedJournal } from '@org/record/journal';
import { isListening } from '../marks/staleSockets.ts';

/**
 * Reports whether another active run writes exports with the same names. Call it before this run listens for marks.
 *
 * @param journal - Path of the journal of this run.
 */
export async function hasConcurrentRun(journal: string): Promise<boolean> {
  return isNumberedJournal(journal) && (await isListening(dirname(journal)));
}
