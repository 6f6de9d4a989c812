import { performance } from 'node:perf_hooks';
import type { RunClock } from '../clock.ts';

/**
 * The time at which bytes had arrived. The event loop learns in one go which sockets have something, and then reads them one by
 * one: the last of two hundred is read milliseconds after the first, although all had arrived before. What is read in one turn
 * therefore has the time of the turn's first read. A turn is over when immediates run, or when the loop has waited.
 */
export class ArrivalClock {
  readonly #clock: RunClock;
  #turnNs = 0;
  /** Time that the loop had waited in all when the turn began, ms; NaN between turns. */
  #waitedMs = Number.NaN;
  readonly #endTurn = (): void => {
    this.#waitedMs = Number.NaN;
  };

  constructor(clock: RunClock) {
    this.#clock = clock;
  }

  /** When the bytes that are being read had arrived, ns of the run: not later than now. */
  now(): number {
    const waitedMs = performance.nodeTiming.idleTime;
    if (waitedMs === this.#waitedMs) return this.#turnNs;
    if (Number.isNaN(this.#waitedMs)) setImmediate(this.#endTurn);
    this.#waitedMs = waitedMs;
    this.#turnNs = this.#clock.now();
    return this.#turnNs;
  }
}
