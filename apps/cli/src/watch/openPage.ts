import { LivePage } from '@org/reader/watch';
import { FollowedRun } from '@org/run/follow';

/**
 * Creates the page of the run in a folder. With `sinceMs`, a time in milliseconds since 1970, it is the page of a run that
 * starts after this time.
 */
export function openPage(folder: string, sinceMs?: number): LivePage {
  const run = new FollowedRun(folder, sinceMs);
  return new LivePage(() => run.read());
}
