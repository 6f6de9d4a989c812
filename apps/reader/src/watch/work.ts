import { performance } from 'node:perf_hooks';

/** The cost of some work of this process. */
export interface Work {
  /** The CPU time of all of its threads, in milliseconds. */
  readonly cpuMs: number;
  /** The time when its event loop was not idle, in milliseconds. The wait for files and connections is idle time. */
  readonly activeMs: number;
}

/** Starts to measure the work of this process. Returns a function that returns the work since then. */
export function measureWork(): () => Work {
  const cpu = process.cpuUsage();
  const loop = performance.eventLoopUtilization();
  return () => {
    const { user, system } = process.cpuUsage(cpu);
    return { cpuMs: (user + system) / 1000, activeMs: performance.eventLoopUtilization(loop).active };
  };
}
