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

/** Samples the resident memory and the CPU time of a process until `stop()` is called. Linux only. */
export class ResidentMemory {
  readonly samples: MemorySample[] = [];
  /** CPU time of the process at the last sample, in seconds. */
  cpuS = 0;
  #stopped = false;

  async watch(pid: number): Promise<void> {
    const startMs = performance.now();
    for (; !this.#stopped; await sleep(SAMPLE_INTERVAL_MS)) {
      const mb = Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
      this.cpuS = (Number(stat[11]) + Number(stat[12])) / 100;
      this.samples.push({ atS: (performance.now() - startMs) / 1000, mb });
    }
  }

  stop(): void {
    this.#stopped = true;
  }

  /** Returns the median memory between two times, in MB. Single samples vary with garbage collection. */
  computeMedianMb(fromS: number, toS: number): number {
    const samplesMb = this.samples.filter(({ atS }) => atS >= fromS && atS <= toS).map(({ mb }) => mb);
    return samplesMb.sort((a, b) => a - b)[samplesMb.length >> 1] ?? Number.NaN;
  }
}
