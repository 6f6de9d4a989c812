import { readlinkSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { basename } from 'node:path';

/** Reduction of the thread's priority, in steps of `nice`: the run has precedence on a busy machine. */
const STEPS = 10;

/** Lowers the priority of this thread. Does nothing on other systems than Linux, where only processes have priorities. */
export function lowerThreadPriority(): void {
  try {
    const thread = Number(basename(readlinkSync('/proc/thread-self')));
    setPriority(thread, Math.min(constants.priority.PRIORITY_LOW, getPriority(thread) + STEPS));
  } catch {
    // The thread keeps the priority of the process.
  }
}
