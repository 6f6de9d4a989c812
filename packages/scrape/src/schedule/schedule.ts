import type { Clock } from '@org/core';

export interface ScheduleOptions {
  readonly clock: Clock;
  readonly intervalMs: number;
  /**
   * Delay of the first tick, in milliseconds: at least 0 and less than the interval. Different offsets spread
   * the scrapes of endpoints over the interval.
   */
  readonly offsetMs: number;
  /**
   * Called at each tick. `tick` is the number of the tick, starting at 0; `missed` is the number of ticks
   * since the previous call that were skipped because the process was busy.
   */
  readonly onTick: (missed: number, tick: number) => void;
}

/**
 * Fires ticks at fixed intervals of the monotonic clock. A late tick does not delay the following ones, so
 * the samples of a run are evenly spaced.
 */
export class Schedule {
  readonly #options: ScheduleOptions;
  #timer: NodeJS.Timeout | undefined;
  #originMs = 0;
  #tick = 0;

  constructor(options: ScheduleOptions) {
    this.#options = options;
  }

  /** Starts the ticks. The first tick fires after the offset. */
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
    const delayMs = this.#originMs + this.#tick * intervalMs - clock.monotonicMs();
    this.#timer = setTimeout(() => this.#fire(), Math.max(0, delayMs));
  }

  #fire(): void {
    const { clock, intervalMs, onTick } = this.#options;
    const dueTick = Math.floor((clock.monotonicMs() - this.#originMs) / intervalMs);
    const missed = Math.max(0, dueTick - this.#tick);
    const tick = Math.max(dueTick, this.#tick);
    this.#tick = tick + 1;
    this.#arm();
    onTick(missed, tick);
  }
}
