import { cpuUsage, hrtime } from 'node:process';

/** Adds up the CPU time and elapsed time of measured work. */
export class CpuClock {
  /** CPU time of all threads of this process, including garbage collection and compilation, in seconds. */
  cpuS = 0;
  /** Elapsed time in seconds, which exceeds the CPU time on a busy machine. */
  wallS = 0;

  /** Measures synchronous work and returns its result. */
  measure<T>(work: () => T): T {
    const stop = this.#start();
    const result = work();
    stop();
    return result;
  }

  /** Measures asynchronous work. Includes other work that the process does in the meantime. */
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
