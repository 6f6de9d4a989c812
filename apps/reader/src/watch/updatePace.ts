import type { Work } from './work.ts';

/** The shortest time between the starts of two updates, in milliseconds. */
const MIN_INTERVAL_MS = 1000;
/** The share of a CPU that updates may take while a CPU is free. */
const MAX_SHARE = 0.5;
/** The share of a CPU that updates may take while the machine is busy. */
const MAX_BUSY_SHARE = 0.1;
/** Below this availability, the machine counts as busy. */
const MIN_AVAILABILITY = 0.8;
/** At this availability, the machine no longer counts as busy. It is higher than the lower bound, to avoid flapping. */
const FREE_AVAILABILITY = 0.9;
/** The number of recent updates over which availability is computed. */
const MEASURED_UPDATES = 3;

/**
 * Decides how often updates may follow each other, from what they cost.
 *
 * The process has a low priority, so its updates run without waiting only if a CPU is idle. In that case, they take no CPU time
 * from the run. If they have to wait, the machine is busy, and updates become less frequent. A CPU limit of a container has the
 * same effect.
 */
export class UpdatePace {
  #hasStarted = false;
  /** The last updates, without the first one. */
  #recent: readonly Work[] = [];
  /** The CPU times of the last two updates that changed the page, in milliseconds, without the first one. */
  #costsMs: readonly number[] = [];
  #isBusy = false;

  /**
   * Adds the cost of an update. The first one that changes the page does not count: it reads everything that the run has
   * written, and compiles the program in several threads.
   *
   * @param hasChanged false if the run has written nothing, so the page was not rebuilt. Such updates are cheaper than others, and
   * do not set the interval.
   */
  add(work: Work, hasChanged = true): void {
    if (this.#hasStarted) {
      this.#recent = [...this.#recent, work].slice(-MEASURED_UPDATES);
      if (hasChanged) this.#costsMs = [...this.#costsMs, work.cpuMs].slice(-2);
    }
    if (hasChanged) this.#hasStarted = true;
    this.#isBusy = this.availability < (this.#isBusy ? FREE_AVAILABILITY : MIN_AVAILABILITY);
  }

  /** The CPU time of the recent updates divided by their active time, from 0 to 1. */
  get availability(): number {
    const cpuMs = this.#recent.reduce((sum, work) => sum + work.cpuMs, 0);
    const activeMs = this.#recent.reduce((sum, work) => sum + work.activeMs, 0);
    // With several threads, CPU time can exceed the time.
    return activeMs > 0 ? Math.min(1, cpuMs / activeMs) : 1;
  }

  /** True if updates have to wait for a CPU. */
  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** The share of a CPU that updates may take. */
  get maxShare(): number {
    return this.#isBusy ? MAX_BUSY_SHARE : MAX_SHARE;
  }

  /**
   * The time between the starts of two updates, in milliseconds. The cheaper of the last two updates that changed the page
   * counts: a single update can take longer, for example because the time axis becomes coarser. Before the second one, updates
   * follow each other at the shortest interval, so that the page of a new run fills soon.
   */
  get intervalMs(): number {
    const costMs = this.#costsMs.length < 2 ? 0 : Math.min(...this.#costsMs);
    return Math.max(MIN_INTERVAL_MS, Math.round(costMs / this.maxShare));
  }

  /**
   * Returns the time until the next update, in milliseconds. After an update that had to wait for a CPU, there is a pause of
   * at least half of the interval.
   *
   * @param sinceStartMs time since the start of the last update
   * @param sinceEndMs time since its end
   */
  getWaitMs(sinceStartMs: number, sinceEndMs: number): number {
    const { intervalMs } = this;
    return Math.max(0, intervalMs - sinceStartMs, intervalMs / 2 - sinceEndMs);
  }
}
