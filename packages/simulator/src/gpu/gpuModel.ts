import type { Engine } from '../engine/engine.ts';

/** Power of a GPU while no step runs and while one runs, in watts. */
const IDLE_WATTS = 75;
const BUSY_WATTS = 350;
/** Energy of each GPU before the simulation, in joules: counters start at the boot of the machine. */
const INITIAL_JOULES = 1e6;

/** The values of a GPU at one time. */
export interface GpuState {
  readonly index: number;
  /** Mean power since the previous read, in watts. */
  readonly watts: number;
  /** Energy since the boot of the machine, in joules. */
  readonly joules: number;
  /** Share of the time since the previous read in which a step ran, from 0 to 1. */
  readonly utilization: number;
}

/** The work of one GPU. */
interface Work {
  /** Total duration of all steps, in ns. */
  busyNs: number;
  /** Time and work at the previous read. */
  readNs: number;
  readBusyNs: number;
}

/**
 * The GPUs of a simulated server, with known power and energy. Each engine uses an equal number of GPUs, and all of them work
 * while the engine computes a step. GPUs continue when the server restarts.
 */
export class GpuModel {
  readonly #work: readonly Work[];
  readonly #startNs: number;

  constructor(count: number, startNs = 0) {
    this.#work = Array.from({ length: count }, () => ({ busyNs: 0, readNs: startNs, readBusyNs: 0 }));
    this.#startNs = startNs;
  }

  get count(): number {
    return this.#work.length;
  }

  /** Adds the steps of new engines to the work of their GPUs. */
  observe(engines: readonly Engine[]): void {
    for (const [position, engine] of engines.entries()) {
      const gpus = this.#work.filter((_, index) => index % engines.length === position);
      engine.observe({
        onStep: ({ startNs, endNs }) => {
          for (const gpu of gpus) gpu.busyNs += endNs - startNs;
        },
      });
    }
  }

  /** Returns the true energy of a GPU since the start of the simulation, in joules. */
  getJoules(index: number, nowNs: number): number {
    const idle = (IDLE_WATTS * (nowNs - this.#startNs)) / 1e9;
    return idle + ((BUSY_WATTS - IDLE_WATTS) * this.#work[index]!.busyNs) / 1e9;
  }

  /** Reads all GPUs, as an exporter does. */
  read(nowNs: number): GpuState[] {
    return this.#work.map((work, index) => {
      const elapsedNs = nowNs - work.readNs;
      const utilization = elapsedNs > 0 ? Math.min(1, (work.busyNs - work.readBusyNs) / elapsedNs) : 0;
      work.readNs = nowNs;
      work.readBusyNs = work.busyNs;
      return {
        index,
        watts: IDLE_WATTS + (BUSY_WATTS - IDLE_WATTS) * utilization,
        joules: INITIAL_JOULES + this.getJoules(index, nowNs),
        utilization,
      };
    });
  }
}
