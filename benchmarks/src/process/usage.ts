import { readFileSync } from 'node:fs';

const CLOCK_TICKS_PER_S = 100;
const MB = 1e6;

/** What a process has used, as Linux says; megabytes are of 10^6 bytes. */
export interface ProcessUsage {
  readonly rssMb: number;
  readonly peakRssMb: number;
  /** Seconds of processor time of all its threads. */
  readonly cpuS: number;
}

/** Throws when there is no such process. */
export function usageOf(pid: number): ProcessUsage {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kb = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)![1]);
  // Behind the name, which may hold spaces: utime and stime are fields 14 and 15, state is field 3.
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
  const ticks = Number(stat[11]) + Number(stat[12]);
  return {
    rssMb: (kb('VmRSS') * 1024) / MB,
    peakRssMb: (kb('VmHWM') * 1024) / MB,
    cpuS: ticks / CLOCK_TICKS_PER_S,
  };
}
