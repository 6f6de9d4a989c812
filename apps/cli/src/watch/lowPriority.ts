import os from 'node:os';

/** The priority of the process of a page: the run and its servers have precedence. */
const LOW_PRIORITY = 10;

/** Lowers the priority of this process, unless it is lower already: only some users may raise a priority. */
export function lowerPriority(system: Pick<typeof os, 'getPriority' | 'setPriority'> = os): void {
  if (system.getPriority() < LOW_PRIORITY) system.setPriority(LOW_PRIORITY);
}
