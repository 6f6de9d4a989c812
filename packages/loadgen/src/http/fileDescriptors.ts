import { closeSync, openSync, readFileSync } from 'node:fs';
import { devNull } from 'node:os';

/** Open files that are provided for: 2,000 connections, and what else a process has. */
const PLACES = 2048;

/**
 * Has the system make room for many connections now. When a process with several threads opens its 257th, 513th, 1,025th file,
 * Linux doubles the table of its open files and waits until no processor can be reading the old one (`expand_fdtable` in
 * fs/file.c): 5 to 120 ms were measured, in which the thread stands still in the middle of its measurement. The table never
 * shrinks, so that files opened and closed before do away with that. Does nothing where the room is there, and on other systems.
 */
export function reserveDescriptors(): void {
  if (placesNow() >= PLACES) return;
  const opened: number[] = [];
  try {
    while (opened.length < PLACES) opened.push(openSync(devNull, 'r'));
  } catch {
    // A limit has been reached, beyond which there are no connections either.
  }
  for (const descriptor of opened) closeSync(descriptor);
}

/** Places in the table of open files (proc(5)); as good as endless where nobody says. */
function placesNow(): number {
  try {
    const places = /^FDSize:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
    return places === undefined ? Number.POSITIVE_INFINITY : Number(places);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
