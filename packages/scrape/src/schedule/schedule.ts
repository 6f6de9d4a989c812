import type { Clock } from '@org/core';

export interface ScheduleOptions {
  readonly clock: Clock;
  readonly intervalMs: number;
  /**
   * Offset of the ticks within the interval, 0 <= offset < interval. Different offsets spread the load of
   * endpoints.
   */
  readonly offsetMs: number;
  /**
   * Called at each tick. `missed` is the number of ticks skipped since the previous call because the process
   * was busy; `tick` is the number of this tick, from 0.
   */
  readonly onTick: (missed: number, tick: number) => void;
}

/**
 * Fires on a fixed grid of the monotonic clock. A late tick does not delay the following ones, so the
 * samples of a run are evenly spaced.
 */
export class Schedule {
  readonly #options: ScheduleOptions;
  #timer: NodeJS.Timeout | undefined;
  #originMs = 0;
  #tick = 0;

  constructor(options: ScheduleOptions) {
    this.#options = options;
  }

  /** Starts the grid now. The first tick fires after the offset. */
  start(): void {
    this.#originMs = this.#options.clock.monotonicMs() + this.#options.offsetMs;
    this.#tick = 0;
    this.#arm();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #arm(): void {
    const { clock, intervalMs } = this.#options;
    const delay = this.#originMs + this.#tick * intervalMs - clock.monotonicMs();
    this.#timer = setTimeout(() => this.#fire(), Math.max(0, delay));
  }

  #fire(): void {
    const { clock, intervalMs, onTick } = this.#options;
    const due = Math.floor((clock.monotonicMs() - this.#originMs) / intervalMs);
    const missed = Math.max(0, due - this.#tick);
    const tick = Math.max(due, this.#tick);
    this.#tick = tick + 1;
    this.#arm();
    onTick(missed, tick);
  }
}
