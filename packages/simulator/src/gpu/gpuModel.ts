import type { Engine } from '../engine/engine.ts';
import type { ServerFault } from '../faults/serverFault.ts';

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
  /** NVIDIA's bit mask of the reasons for a lower clock rate. */
  readonly clockEventReasons: number;
  readonly smMegahertz: number;
  readonly celsius: number;
  /** Code of the last XID error; 0 without one. */
  readonly xid: number;
  /** Time since the boot of the machine in which the power limit or heat lowered the clock rate, in ns. */
  readonly powerViolationNs: number;
  readonly thermalViolationNs: number;
}

/** The power limit of a GPU, in watts. */
export const LIMIT_WATTS = 400;
const FULL_MEGAHERTZ = 1980;
const THROTTLED_MEGAHERTZ = 1215;
/** Reasons for a lower clock rate: the GPU is idle, the power limit, heat. */
const REASONS = { idle: 0x1, power: 0x4, heat: 0x20 } as const;

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
  readonly #faults: readonly ServerFault[];

  constructor(count: number, startNs = 0, faults: readonly ServerFault[] = []) {
    this.#work = Array.from({ length: count }, () => ({ busyNs: 0, readNs: startNs, readBusyNs: 0 }));
    this.#startNs = startNs;
    this.#faults = faults;
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
        ...this.#describeClock(index, utilization, work.busyNs),
      };
    });
  }

  /** Returns the clock rate and its limits. A throttled GPU is throttled while it works. */
  #describeClock(
    index: number,
    utilization: number,
    busyNs: number,
  ): Omit<GpuState, 'index' | 'watts' | 'joules' | 'utilization'> {
    const faults = this.#faults.filter(fault => !('gpu' in fault) || (fault.gpu ?? index) === index);
    const throttle = faults.find(fault => fault.kind === 'gpu-throttle');
    const xid = faults.find(fault => fault.kind === 'gpu-xid');
    const cause = utilization > 0 ? throttle?.cause : undefined;
    const reason = utilization > 0 ? (cause === undefined ? 0 : REASONS[cause]) : REASONS.idle;
    return {
      clockEventReasons: reason,
      smMegahertz: cause === undefined ? FULL_MEGAHERTZ : THROTTLED_MEGAHERTZ,
      celsius: Math.round((cause === 'heat' ? 50 : 32) + 40 * utilization),
      xid: xid?.code ?? 0,
      powerViolationNs: throttle?.cause === 'power' ? busyNs : 0,
      thermalViolationNs: throttle?.cause === 'heat' ? busyNs : 0,
    };
  }
}
