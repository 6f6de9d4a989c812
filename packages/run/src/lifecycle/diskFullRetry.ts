import type { JournalWriter } from '@org/scrape';
import type { DiskFullRetryPolicy } from '../export/exportRetry.ts';
import type { Log } from './log.ts';
import { pause } from './pause.ts';

/**
 * The patience of a run with a full disk: exports are tried again while scrapes are in memory only and nobody waits for the end.
 * `seconds`: how long all tries take.
 */
export function diskFullRetryPolicy(
  {
    journal,
    log,
    interrupted,
  }: {
    readonly journal: Pick<JournalWriter, 'missedFrames'>;
    readonly log: Log;
    readonly interrupted: AbortSignal;
  },
  seconds: number,
): DiskFullRetryPolicy {
  return {
    shouldRetry: () => journal.missedFrames > 0 && !interrupted.aborted,
    onRetry: () =>
      log.warning(
        `the disk is full, and ${journal.missedFrames} scrape(s) are in memory only: free some space; ` +
          `the exports are tried again for ${seconds} s`,
      ),
    pause: async pauseSeconds => {
      await pause(pauseSeconds, interrupted);
      return !interrupted.aborted;
    },
  };
}
