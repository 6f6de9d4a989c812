import type { Clock } from './clock.ts';

export interface ScheduleOptions {
  readonly clock: Clock;
  readonly intervalMs: number;
  /** Where in each interval the ticks lie, 0 <= offset < interval: spreads endpoints apart. */
  readonly offsetMs: number;
  /**
   * Called at each tick, and told how many ticks passed unseen since the last because the process was busy, and which tick
   * it is: they are counted from 0.
   */
  readonly onTick: (missed: number, tick: number) => void;
}

/**
 * Ticks on a grid of the monotonic clock. A late tick does not move the ones behind it, so that a run of an hour has its
 * 10,800 ticks and its samples stay evenly spaced.
 */
export class Schedule {
  readonly #options: ScheduleOptions;
  #timer: NodeJS.Timeout | undefined;
  #originMs = 0;
  #tick = 0;

  constructor(options: ScheduleOptions) {
    this.#options = options;
  }

  /** Starts the grid now; the first tick comes after the offset. */
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
