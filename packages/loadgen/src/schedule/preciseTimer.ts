import type { RunClock } from '../clock.ts';

/** Maximum lateness of Node's timers, in ns. The rest of a wait is spent turning the event loop. */
const MAX_TIMER_LATENESS_NS = 1.2e6;

/**
 * Calls back at a time of the run, never before it, with a finer resolution than the milliseconds of Node's timers: just before
 * that time, the event loop turns without sleeping, and still serves sockets. Never calls back from within `set`.
 */
export class PreciseTimer {
  readonly #clock: RunClock;
  readonly #callback: () => void;
  /** One function for all turns, because the hundreds of turns before an arrival would otherwise create garbage. */
  readonly #wake = (): void => {
    const leftNs = this.#atNs - this.#clock.now();
    if (leftNs > 0) {
      this.#sleep(leftNs);
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

  /** Sets the time of the callback, replacing an earlier one; infinity clears it. */
  set(atNs: number): void {
    if (atNs === this.#atNs) return;
    this.clear();
    if (atNs === Number.POSITIVE_INFINITY) return;
    this.#atNs = atNs;
    this.#sleep(atNs - this.#clock.now());
  }

  clear(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#turn);
    this.#atNs = Number.POSITIVE_INFINITY;
  }

  #sleep(leftNs: number): void {
    if (leftNs > MAX_TIMER_LATENESS_NS) {
      const delayMs = Math.min(Math.floor((leftNs - MAX_TIMER_LATENESS_NS) / 1e6), 2 ** 30);
      this.#timer = setTimeout(this.#wake, delayMs);
    } else this.#turn = setImmediate(this.#wake);
  }
}
