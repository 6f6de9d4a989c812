import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** The process that a plan is carried out by. */
export interface PlanOwner {
  readonly pid: number;
  /** Processes are looked for on the machine, or in the container, that they were on. */
  readonly host: string;
  /** When the process was started, as Linux has it; elsewhere a process of the same number is taken for the same. */
  readonly born?: string;
}

/** This process. */
export function thisProcess(): PlanOwner {
  const born = statusOf(process.pid)?.born;
  return { pid: process.pid, host: hostname(), ...(born === undefined ? {} : { born }) };
}

/** Whether it is still there; false where that cannot be known. */
export function isAlive({ pid, host, born }: PlanOwner): boolean {
  if (host !== hostname() || !isThere(pid)) return false;
  const found = statusOf(pid);
  if (!found) return true;
  return found.state !== 'Z' && found.state !== 'X' && (born === undefined || found.born === born);
}

/** A process that may not be signalled is there, too. */
function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html: fields 3 (state) and 22 (start); the second may have anything in it. */
function statusOf(pid: number): { readonly state: string; readonly born: string } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0]!, born: fields[19]! };
  } catch {
    return undefined;
  }
}
