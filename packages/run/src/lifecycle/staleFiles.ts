import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** What an export is called until it is whole: formats' `AtomicFile` has the process in it. */
const UNFINISHED = /^\..+\.(\d+)\.[0-9a-f]{12}\.tmp$/;

/** Removes from a folder the unfinished exports of processes that are gone; gives how many. */
export function removeLeftovers(folder: string): number {
  const left = readdirSync(folder).filter(name => {
    const [, pid] = UNFINISHED.exec(name) ?? [];
    return pid !== undefined && isGone(Number(pid));
  });
  for (const name of left) rmSync(join(folder, name), { force: true });
  return left.length;
}

/** A process that may not be signalled is there, too. */
function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
