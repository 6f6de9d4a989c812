import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Between two looks, in ms. */
const EVERY_MS = 2000;

/** What a process held at one time. */
interface Look {
  /** Seconds since the first look. */
  readonly atS: number;
  readonly mb: number;
}

/** Looks at the resident memory of a process until it is told to stop. Linux only. */
export class Resident {
  readonly looks: Look[] = [];
  /** Seconds of processor time so far. */
  cpuS = 0;
  #stopped = false;

  async watch(pid: number): Promise<void> {
    const begin = performance.now();
    for (; !this.#stopped; await sleep(EVERY_MS)) {
      const mb = Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
      this.cpuS = (Number(stat[11]) + Number(stat[12])) / 100;
      this.looks.push({ atS: (performance.now() - begin) / 1000, mb });
    }
  }

  stop(): void {
    this.#stopped = true;
  }

  /** The median between two times, in MB; garbage comes and goes, so that one look says little. */
  medianMb(fromS: number, toS: number): number {
    const within = this.looks.filter(({ atS }) => atS >= fromS && atS <= toS).map(({ mb }) => mb);
    return within.sort((a, b) => a - b)[within.length >> 1] ?? Number.NaN;
  }
}
