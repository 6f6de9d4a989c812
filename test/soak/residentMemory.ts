import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Sampling interval, in ms. */
const SAMPLE_INTERVAL_MS = 2000;

/** Memory of a process at one time. */
interface MemorySample {
  /** Time since the first sample, in seconds. */
  readonly atS: number;
  readonly mb: number;
}

/** Samples the resident memory of a process until `stop()`. Linux only. */
export class ResidentMemory {
  readonly samples: MemorySample[] = [];
  /** CPU time so far, in seconds. */
  cpuS = 0;
  #stopped = false;

  async watch(pid: number): Promise<void> {
    const begin = performance.now();
    for (; !this.#stopped; await sleep(SAMPLE_INTERVAL_MS)) {
      const mb = Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
      this.cpuS = (Number(stat[11]) + Number(stat[12])) / 100;
      this.samples.push({ atS: (performance.now() - begin) / 1000, mb });
    }
  }

  stop(): void {
    this.#stopped = true;
  }

  /** Returns the median between two times, in MB. Single samples vary with garbage collection. */
  medianMb(fromS: number, toS: number): number {
    const within = this.samples.filter(({ atS }) => atS >= fromS && atS <= toS).map(({ mb }) => mb);
    return within.sort((a, b) => a - b)[within.length >> 1] ?? Number.NaN;
  }
}
