import type { RunClock } from '../clock.ts';

/** Maximum lateness of Node's timers, in ns. The last part of a wait polls the event loop for this long. */
const MAX_TIMER_LATENESS_NS = 1.2e6;

/**
 * Calls a function at a given time, never early, with a finer resolution than the milliseconds of Node's
 * timers: just before that time, the event loop turns without sleeping, but still serves sockets. The function
 * is never called from within `set`.
 */
export class PreciseTimer {
  readonly #clock: RunClock;
  readonly #callback: () => void;
  /**
   * Allocated only once, because a closure for each of the hundreds of turns before an arrival would create
   * garbage.
   */
  readonly #wake = (): void => {
    const remainingNs = this.#atNs - this.#clock.nowNs();
    if (remainingNs > 0) {
      this.#sleep(remainingNs);
      return;
    }
    this.#atNs = Number.POSITIVE_INFINITY;
    this.#callback();
  };
  #atNs = Number.POSITIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #turn: NodeJS.Immediate | undefined;

  constructor(clock: RunClock, callback: () => void) {
    this.#clock = clock;
    this.#callback = callback;
  }

  /**
   * Sets the time of the call, in ns since the run's origin, replacing the previous time; infinity clears the
   * timer.
   */
  set(atNs: number): void {
    if (atNs === this.#atNs) return;
    this.clear();
    if (atNs === Number.POSITIVE_INFINITY) return;
    this.#atNs = atNs;
    this.#sleep(atNs - this.#clock.nowNs());
  }

  clear(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#turn);
    this.#atNs = Number.POSITIVE_INFINITY;
  }

  #sleep(remainingNs: number): void {
    if (remainingNs > MAX_TIMER_LATENESS_NS) {
      const delayMs = Math.min(Math.floor((remainingNs - MAX_TIMER_LATENESS_NS) / 1e6), 2 ** 30);
      this.#timer = setTimeout(this.#wake, delayMs);
    } else this.#turn = setImmediate(this.#wake);
  }
}
