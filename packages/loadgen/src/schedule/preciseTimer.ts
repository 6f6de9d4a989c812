import type { RunClock } from '../clock.ts';

/** Timers fire up to this much late, ns: the rest of the time is waited out turn by turn of the event loop. */
const SLACK_NS = 1.2e6;

/**
 * Wakes up at a time of the run, never before it, and finer than the millisecond that timers have: for the last of it, the
 * event loop turns without sleeping, and sockets have their turns in between. It never rings while it is being set.
 */
export class Alarm {
  readonly #clock: RunClock;
  readonly #ring: () => void;
  /** One for all turns: of the hundreds before an arrival none must leave more garbage than it has to. */
  readonly #wake = (): void => {
    const leftNs = this.#atNs - this.#clock.now();
    if (leftNs > 0) {
      this.#sleep(leftNs);
      return;
    }
    this.#atNs = Number.POSITIVE_INFINITY;
    this.#ring();
  };
  #atNs = Number.POSITIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #turn: NodeJS.Immediate | undefined;

  constructor(clock: RunClock, ring: () => void) {
    this.#clock = clock;
    this.#ring = ring;
  }

  /** Sets the alarm; an earlier setting is forgotten. */
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
    if (leftNs > SLACK_NS) {
      const delayMs = Math.min(Math.floor((leftNs - SLACK_NS) / 1e6), 2 ** 30);
      this.#timer = setTimeout(this.#wake, delayMs);
    } else this.#turn = setImmediate(this.#wake);
  }
}
