import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_INTERVAL_MS = 200;

/**
 * Calls `action` while this process holds the lock file, which contains the id of the process. Waits if another
 * process holds it, and takes over the lock of a process that has ended.
 */
export async function withLockFile<T>(path: string, action: () => Promise<T>): Promise<T> {
  while (!tryCreate(path)) {
    if (isHeld(path)) await sleep(POLL_INTERVAL_MS);
    else discard(path);
  }
  try {
    return await action();
  } finally {
    rmSync(path, { force: true });
  }
}

function tryCreate(path: string): boolean {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Reports whether the process that created the lock file is running. */
function isHeld(path: string): boolean {
  try {
    const owner = readFileSync(path, 'utf8');
    // The owner writes its id directly after it creates the file.
    if (owner === '') return true;
    process.kill(Number(owner), 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Removes the lock file of a process that has ended. If several processes try, one of them succeeds. */
function discard(path: string): void {
  const discarded = `${path}.${process.pid}`;
  try {
    renameSync(path, discarded);
    rmSync(discarded, { force: true });
  } catch {
    // Another process has removed it.
  }
}
