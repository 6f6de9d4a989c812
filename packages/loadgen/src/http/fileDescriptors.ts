import { closeSync, openSync, readFileSync } from 'node:fs';
import { devNull } from 'node:os';

/** Number of file descriptors to reserve: enough for 2,000 connections and the other files of the process. */
const RESERVED_DESCRIPTORS = 2048;

/**
 * Grows the process's file descriptor table before the measurement. When a process with several threads opens
 * its 257th, 513th or 1,025th file, Linux doubles the table and waits until no CPU reads the old one
 * (`expand_fdtable` in fs/file.c). This blocks the thread for 5 to 120 ms. The table never shrinks, so opening
 * and closing files in advance avoids the pause. Does nothing if the table is large enough, or on other
 * systems.
 */
export function reserveDescriptors(): void {
  if (readTableSize() >= RESERVED_DESCRIPTORS) return;
  const descriptors: number[] = [];
  try {
    while (descriptors.length < RESERVED_DESCRIPTORS) descriptors.push(openSync(devNull, 'r'));
  } catch {
    // The process's descriptor limit is reached. It limits the number of connections, too.
  }
  for (const descriptor of descriptors) closeSync(descriptor);
}

/** Maximum number of connections, to limit their memory: 50,000 take about 2 GB. */
const MAX_CONNECTIONS = 50_000;
/** File descriptors that are not available for connections. */
const OTHER_DESCRIPTORS = 128;

/** Returns the number of connections that this process may open, from its limit of open files. */
export function findConnectionLimit(): number {
  try {
    const limit = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return Math.min(
      MAX_CONNECTIONS,
      Math.max(1, Number(limit ?? Number.POSITIVE_INFINITY) - OTHER_DESCRIPTORS),
    );
  } catch {
    return MAX_CONNECTIONS;
  }
}

/** Returns the size of the file descriptor table (proc(5)), or infinity if the system does not report it. */
function readTableSize(): number {
  try {
    const size = /^FDSize:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
    return size === undefined ? Number.POSITIVE_INFINITY : Number(size);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
