import { dirname } from 'node:path';
import { isNumberedJournal } from '@org/record/journal';
import { isListening } from '../marks/staleSockets.ts';
import type { Log } from './log.ts';

/**
 * Warns when another run goes on in the folder of a journal: exports have the names that their run gives them, and those of two runs
 * would be the same files. To be asked before this run listens there itself. `shown`: the folder as messages name it.
 */
export async function warnOfNeighbour(
  journal: string,
  shown: string,
  log: Pick<Log, 'warning'>,
): Promise<void> {
  if (!isNumberedJournal(journal) || !(await isListening(dirname(journal)))) return;
  log.warning(
    `another run goes on in ${shown}, and the exports of the one that ends first will be replaced; ` +
      'name another folder with --artifact-dir, or a --profile-export-prefix',
  );
}
