import type { Fault } from '../faults/fault.ts';
import { FaultPlan } from '../faults/faultPlan.ts';
import type { Mark } from '../truth.ts';
import type { Listener } from './listener.ts';
import type { LiveSimulation } from './liveSimulation.ts';

/** Injects faults, restarts and outages. */
export class Control {
  readonly plan: FaultPlan = new FaultPlan();
  readonly #live: LiveSimulation;
  readonly #listeners: readonly Listener[];
  readonly #marks = new Map<string, Mark>();
  #reopenTimer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(live: LiveSimulation, listeners: readonly Listener[]) {
    this.#live = live;
    this.#listeners = listeners;
  }

  /** The active faults. */
  get faults(): readonly Fault[] {
    return this.plan.faults;
  }

  /** Injects faults into the following scrapes. Throws RangeError for invalid faults. */
  inject(...faults: readonly Fault[]): void {
    for (const fault of faults) this.plan.add(fault);
  }

  /** Removes all faults. */
  clear(): void {
    this.plan.clear();
  }

  /** Closes the ports and reopens them after `seconds`. Resolves when the ports are closed. */
  async refuse(seconds: number): Promise<void> {
    if (!(seconds > 0))
      throw new RangeError(
        `cannot refuse connections for ${seconds} seconds; expected a number greater than 0`,
      );
    clearTimeout(this.#reopenTimer);
    await Promise.all(this.#listeners.map(listener => listener.close()));
    if (this.#isStopped) return;
    this.#reopenTimer = setTimeout(() => {
      // Ignore errors: a port that another process has taken in the meantime stays closed.
      for (const listener of this.#listeners) listener.reopen().catch(() => {});
    }, seconds * 1000);
  }

  /**
   * Simulates a crash: connections are closed, counters restart at 0, and the ports stay closed for
   * `downSeconds`.
   */
  async restart(downSeconds = 0): Promise<void> {
    this.#live.restart();
    if (downSeconds > 0) await this.refuse(downSeconds);
    else for (const listener of this.#listeners) listener.closeConnections();
  }

  /** Sets a named mark at the current time. */
  mark(name: string): Mark {
    this.#live.catchUp();
    const mark = this.#live.simulation.mark();
    this.#marks.set(name, mark);
    return mark;
  }

  /** Returns a mark that was set by {@link mark}. Throws RangeError if it does not exist. */
  getMark(name: string): Mark {
    const mark = this.#marks.get(name);
    if (!mark)
      throw new RangeError(
        `mark "${name}" does not exist; existing marks: ${[...this.#marks.keys()].join(', ') || 'none'}`,
      );
    return mark;
  }

  /** Allows that ports are reopened, also after {@link stop}. */
  start(): void {
    this.#isStopped = false;
  }

  /** Cancels reopening the ports, also if they are being closed. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#reopenTimer);
  }
}
