/** A loop that has waited less than this for its sockets, ms, had something to read before it looked. */
const WAITED_MS = 0.02;

/**
 * Of a longer time at work only so much counts, ns: a stamp is at most half of it early. A program that stands still for longer has late
 * stamps, which can be believed, rather than ones that may lie before the cause of what they stamp.
 */
const MOST_WORK_NS = 4e6;

/** What an event loop says of itself: `performance.nodeTiming` of Node. */
export interface LoopTimes {
  /** Time for which it has waited in all, ms. */
  readonly idleTime: number;
  readonly uvMetricsInfo: {
    /** Its turns so far. */
    readonly loopCount: number;
  };
}

/** Has something done when the sockets of the present turn have been read: `setImmediate` of Node. */
export type AfterReads = (work: () => void) => void;

/**
 * The time at which bytes had arrived. The event loop learns in one go which sockets have something, and then reads them one by
 * one: the last of two hundred is read milliseconds after the first, although all had arrived before. What is read in one turn
 * therefore has one time, in which the turn's first read counts. When the loop had waited, the bytes woke it, and that is the time.
 * When it had been at work, they came at some moment since it last looked: the middle of that is taken, which is wrong by half of it
 * at most and on average by nothing, where the time of the looking would always be late. Of work of more than 4 ms it is 2 ms before the
 * look, which may be late by all the rest.
 */
export class ArrivalClock {
  readonly #now: () => number;
  readonly #loop: LoopTimes;
  readonly #afterReads: AfterReads;
  /** When the loop looked for what is read in the present turn, ns; undefined before the first read. */
  #lookNs: number | undefined;
  /** How long it had been at work by then, ns. */
  #atWork = 0;
  /** Time that the loop had waited in all when the turn's first read came, ms. */
  #turnWaitedMs = 0;
  /** A moment from which on the loop has been at work, if it has not waited since. */
  #workNs: number;
  #workWaitedMs: number;
  #workTurns: number;
  readonly #endReads = (): void => {
    this.#lookNs = undefined;
  };

  /** `now`: ns of some monotonic clock. */
  constructor(now: () => number, loop: LoopTimes, afterReads: AfterReads) {
    this.#now = now;
    this.#loop = loop;
    this.#afterReads = afterReads;
    this.#workNs = now();
    this.#workWaitedMs = loop.idleTime;
    this.#workTurns = loop.uvMetricsInfo.loopCount;
  }

  /** When the bytes that are being read had arrived, ns: not later than now. `sinceNs`: before which they cannot have, as an answer. */
  now(sinceNs: number = Number.NEGATIVE_INFINITY): number {
    const lookNs = this.#looked();
    const earliestNs = Math.max(lookNs - this.#atWork, sinceNs);
    return Math.round(Math.max((earliestNs + lookNs) / 2, sinceNs));
  }

  /** When the loop looked for what is being read. */
  #looked(): number {
    const waitedMs = this.#loop.idleTime;
    if (this.#lookNs !== undefined && waitedMs === this.#turnWaitedMs) return this.#lookNs;
    if (this.#lookNs === undefined) this.#afterReads(this.#endReads);
    const lookNs = this.#now();
    const turns = this.#loop.uvMetricsInfo.loopCount;
    this.#atWork = Math.min(this.#atWorkNs(lookNs, waitedMs, turns), MOST_WORK_NS);
    this.#lookNs = lookNs;
    this.#turnWaitedMs = waitedMs;
    this.#work(lookNs, waitedMs, turns);
    return lookNs;
  }

  /**
   * Told when work begins that is no reading: what a timer or a task behind the reads has to do. What is read after it may have come
   * since, and does not count as what woke the loop.
   */
  beginWork(): void {
    const waitedMs = this.#loop.idleTime;
    const turns = this.#loop.uvMetricsInfo.loopCount;
    // Of the present turn, and of the one before, more may be known already: when it read.
    if (!this.hasWaitedSince(this.#workWaitedMs) && turns - this.#workTurns < 2) return;
    this.#work(this.#now(), waitedMs, turns);
  }

  /** Whether the loop has waited for its sockets since it had waited for `waitedMs` in all (`idleTime`), and not only looked. */
  hasWaitedSince(waitedMs: number): boolean {
    return this.#loop.idleTime - waitedMs > WAITED_MS;
  }

  #work(nowNs: number, waitedMs: number, turns: number): void {
    this.#workNs = nowNs;
    this.#workWaitedMs = waitedMs;
    this.#workTurns = turns;
  }

  /** How long the loop had been at work when it looked, ns; of several turns since, one as long as the others. */
  #atWorkNs(nowNs: number, waitedMs: number, turns: number): number {
    if (waitedMs - this.#workWaitedMs > WAITED_MS) return 0;
    return (nowNs - this.#workNs) / Math.max(1, turns - this.#workTurns);
  }
}
