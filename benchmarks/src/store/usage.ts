import { cpuUsage, hrtime, memoryUsage, resourceUsage } from 'node:process';

const MB = 1e6;

/** Adds up what stretches of work take. */
export class CpuClock {
  /** Seconds of processor time of this process, its helper threads (garbage collection, compiler) included. */
  cpuS = 0;
  /** Seconds by the wall; more than the former where the machine had other work too. */
  wallS = 0;

  measure<T>(work: () => T): T {
    const stop = this.#start();
    const result = work();
    stop();
    return result;
  }

  /** What the process does besides, while it waits, is counted with it. */
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

/** What this process holds; megabytes are of 10^6 bytes. */
export interface Memory {
  /** JavaScript objects and buffers that are still reachable, in bytes. */
  readonly heldBytes: number;
  readonly rssMb: number;
  readonly peakRssMb: number;
}

/** Collects garbage, then looks. Throws where the process was not started with --expose-gc. */
export function memory(): Memory {
  const { gc } = globalThis as { gc?: () => void };
  if (!gc) throw new Error('cannot measure memory: node was started without --expose-gc');
  // Buffers are given back in a second round, after the objects that held them.
  gc();
  gc();
  const { heapUsed, external, rss } = memoryUsage();
  return { heldBytes: heapUsed + external, rssMb: rss / MB, peakRssMb: (resourceUsage().maxRSS * 1024) / MB };
}
