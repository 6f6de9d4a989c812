import { cpuUsage, hrtime } from 'node:process';

/** Adds up the time of measured stretches of work. */
export class CpuClock {
  /** CPU time of all threads of this process, including garbage collection and compilation, in seconds. */
  cpuS = 0;
  /** Elapsed time in seconds; on a busy machine longer than the CPU time. */
  wallS = 0;

  measure<T>(work: () => T): T {
    const stop = this.#start();
    const result = work();
    stop();
    return result;
  }

  /** Measures asynchronous work. Other work of the process in the meantime is included. */
  async measureAsync(work: () => Promise<void>): Promise<void> {
    const stop = this.#start();
    await work();
    stop();
  }

  #start(): () => void {
    const cpu = cpuUsage();
    const wall = hrtime.bigint();
    return () => {
      this.wallS += Number(hrtime.bigint() - wall) / 1e9;
      const { user, system } = cpuUsage(cpu);
      this.cpuS += (user + system) / 1e6;
    };
  }
}
