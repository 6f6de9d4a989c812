import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { ProcessIdentity } from '@org/record/journal';

/** Describes the current process. */
export function getCurrentOwner(): ProcessIdentity {
  const born = readStatus(process.pid)?.born;
  return { pid: process.pid, host: hostname(), ...(born === undefined ? {} : { born }) };
}

/** Reports whether a process is known to be alive. Returns false for processes of other hosts. */
export function isAlive({ pid, host, born }: ProcessIdentity): boolean {
  if (host !== hostname() || !hasProcess(pid)) return false;
  const status = readStatus(pid);
  if (!status) return true;
  return status.state !== 'Z' && status.state !== 'X' && (born === undefined || status.born === born);
}

function hasProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Reads the fields 3 (state) and 22 (start time) of /proc/PID/stat. Field 2, the name of the program, may
 * contain any character (https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html).
 */
function readStatus(pid: number): { readonly state: string; readonly born: string } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0]!, born: fields[19]! };
  } catch {
    return undefined;
  }
}
