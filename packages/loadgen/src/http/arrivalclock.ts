import { performance } from 'node:perf_hooks';
import type { RunClock } from '../clock.ts';

/** A loop that has waited less than this for its sockets, ms, had something to read before it looked. */
const WAITED_MS = 0.02;

/** What an event loop says of itself. */
export interface Loop {
  /** Time for which it has waited in all, ms. */
  readonly waitedMs: () => number;
  /** Its turns so far. */
  readonly turns: () => number;
}

const OWN_LOOP: Loop = {
  waitedMs: () => performance.nodeTiming.idleTime,
  turns: () => performance.nodeTiming.uvMetricsInfo.loopCount,
};

/**
 * The time at which bytes had arrived. The event loop learns in one go which sockets have something, and then reads them one by
 * one: the last of two hundred is read milliseconds after the first, although all had arrived before. What is read in one turn
 * therefore has one time, in which the turn's first read counts. When the loop had waited, the bytes woke it, and that is the time.
 * When it had been at work, they came at some moment since it last looked: the middle of that is taken, which is wrong by half of
 * it at most and on average by nothing, where the time of the looking would always be late.
 */
export class ArrivalClock {
  readonly #clock: RunClock;
  readonly #loop: Loop;
  #turnNs = 0;
  /** Time that the loop had waited in all when the turn began, ms; NaN between turns. */
  #waitedMs = Number.NaN;
  /** Of the last turn in which something was read. */
  #last: { readonly atNs: number; readonly waitedMs: number; readonly turns: number };
  readonly #endTurn = (): void => {
    this.#waitedMs = Number.NaN;
  };

  constructor(clock: RunClock, loop: Loop = OWN_LOOP) {
    this.#clock = clock;
    this.#loop = loop;
    this.#last = { atNs: clock.now(), waitedMs: loop.waitedMs(), turns: loop.turns() };
  }

  /** When the bytes that are being read had arrived, ns of the run: not later than now. */
  now(): number {
    const waitedMs = this.#loop.waitedMs();
    if (waitedMs === this.#waitedMs) return this.#turnNs;
    if (Number.isNaN(this.#waitedMs)) setImmediate(this.#endTurn);
    this.#waitedMs = waitedMs;
    const turn = { atNs: this.#clock.now(), waitedMs, turns: this.#loop.turns() };
    this.#turnNs = Math.round(turn.atNs - this.#atWorkNs(turn) / 2);
    this.#last = turn;
    return this.#turnNs;
  }

  /** How long the loop had been at work when it looked, ns; of several turns since the last read, one as long as the others. */
  #atWorkNs(turn: { readonly atNs: number; readonly waitedMs: number; readonly turns: number }): number {
    const { atNs, waitedMs, turns } = this.#last;
    if (turn.waitedMs - waitedMs > WAITED_MS) return 0;
    return (turn.atNs - atNs) / Math.max(1, turn.turns - turns);
  }
}
