import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** The name of an incomplete export, which contains the id of its process: see `AtomicFile` in @org/formats. */
const INCOMPLETE_EXPORT = /^\..+\.(\d+)\.[0-9a-f]{12}\.tmp$/;

/** Removes from a folder the incomplete exports of processes that no longer exist. Returns their number. */
export function removeStaleFiles(folder: string): number {
  const stale = readdirSync(folder).filter(name => {
    const [, pid] = INCOMPLETE_EXPORT.exec(name) ?? [];
    return pid !== undefined && hasEnded(Number(pid));
  });
  for (const name of stale) rmSync(join(folder, name), { force: true });
  return stale.length;
}

function hasEnded(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
