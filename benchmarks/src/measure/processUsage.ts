import { readFileSync } from 'node:fs';

const CLOCK_TICKS_PER_S = 100;
const MB = 1e6;

/** Resource usage of a process. MB are 10^6 bytes. */
export interface ProcessUsage {
  readonly rssMb: number;
  readonly peakRssMb: number;
  /** CPU time of all threads, in seconds. */
  readonly cpuS: number;
}

/** Reads the resource usage of a process from /proc (Linux only). Throws if the process does not exist. */
export function readProcessUsage(pid: number): ProcessUsage {
  return parseProcessUsage(
    readFileSync(`/proc/${pid}/status`, 'utf8'),
    readFileSync(`/proc/${pid}/stat`, 'utf8'),
  );
}

/** Parses the files `status` and `stat` of a process in /proc. */
export function parseProcessUsage(status: string, stat: string): ProcessUsage {
  const readKb = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)![1]);
  // The process name (field 2) may contain spaces and parentheses, so the fields after the last parenthesis are split.
  // Index 0 is field 3; utime and stime are fields 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]);
  return {
    rssMb: (readKb('VmRSS') * 1024) / MB,
    peakRssMb: (readKb('VmHWM') * 1024) / MB,
    cpuS: ticks / CLOCK_TICKS_PER_S,
  };
}
