/**
 * Minimum increase of the event loop's idle time, in ms, that counts as waiting. If the increase is smaller,
 * data was already available when the loop polled.
 */
const MIN_WAIT_MS = 0.02;

/**
 * Maximum busy time used in estimates, in ns. Timestamps are at most half of this time too early. After a
 * longer busy period, such as a pause of the process, they are late instead.
 */
const MAX_BUSY_NS = 4e6;

/** The event loop counters of Node's `performance.nodeTiming`. */
export interface LoopTimes {
  /** Total time spent waiting for events, in ms. */
  readonly idleTime: number;
  readonly uvMetricsInfo: {
    /** Number of loop iterations. */
    readonly loopCount: number;
  };
}

/**
 * Schedules a callback to run after all sockets of the current loop iteration have been read, such as
 * `setImmediate`.
 */
export type AfterReads = (callback: () => void) => void;

/**
 * Estimates when received bytes arrived. The event loop polls all sockets at once and then reads them one by
 * one: the last of 200 sockets is read milliseconds after the first, although all data had arrived before.
 * All reads of one loop iteration therefore get the same timestamp, based on the first read. If the loop was
 * waiting, the data woke it up, and the time of the poll is the arrival time. If the loop was busy, the data
 * arrived at some time since the previous poll: the midpoint is used, which is unbiased and off by at most
 * half of the busy time. If the loop was busy for more than 4 ms, the timestamp is 2 ms before the poll.
 */
export class ArrivalClock {
  readonly #now: () => number;
  readonly #loop: LoopTimes;
  readonly #afterReads: AfterReads;
  /** Time of the poll of the current iteration, in ns; undefined before its first read. */
  #pollNs: number | undefined;
  /** Busy time between the previous poll and this poll, in ns; at most `MAX_BUSY_NS`. */
  #busyNs = 0;
  /** Total idle time of the loop at the first read of the current iteration, in ms. */
  #iterationIdleMs = 0;
  /** Start of the current busy period, in ns; valid only while the loop has not waited since. */
  #busySinceNs: number;
  #busySinceIdleMs: number;
  #busySinceIteration: number;
  readonly #endReads = (): void => {
    this.#pollNs = undefined;
  };

  /** @param now a monotonic clock, in ns */
  constructor(now: () => number, loop: LoopTimes, afterReads: AfterReads) {
    this.#now = now;
    this.#loop = loop;
    this.#afterReads = afterReads;
    this.#busySinceNs = now();
    this.#busySinceIdleMs = loop.idleTime;
    this.#busySinceIteration = loop.uvMetricsInfo.loopCount;
  }

  /**
   * Returns the arrival time of the bytes being read, in ns; never later than the current time.
   *
   * @param sinceNs the earliest possible arrival, such as the send time of the request
   */
  now(sinceNs: number = Number.NEGATIVE_INFINITY): number {
    const pollNs = this.#findPollTime();
    const earliestNs = Math.max(pollNs - this.#busyNs, sinceNs);
    return Math.round(Math.max((earliestNs + pollNs) / 2, sinceNs));
  }

  /** Returns the time of the poll that reported the data being read. */
  #findPollTime(): number {
    const idleMs = this.#loop.idleTime;
    if (this.#pollNs !== undefined && idleMs === this.#iterationIdleMs) return this.#pollNs;
    if (this.#pollNs === undefined) this.#afterReads(this.#endReads);
    const pollNs = this.#now();
    const iteration = this.#loop.uvMetricsInfo.loopCount;
    this.#busyNs = Math.min(this.#computeBusyNs(pollNs, idleMs, iteration), MAX_BUSY_NS);
    this.#pollNs = pollNs;
    this.#iterationIdleMs = idleMs;
    this.#setBusySince(pollNs, idleMs, iteration);
    return pollNs;
  }

  /**
   * Records the start of work other than reading, such as a timer callback. Data that is read afterwards may
   * have arrived during this work, rather than having woken up the loop.
   */
  beginWork(): void {
    const idleMs = this.#loop.idleTime;
    const iteration = this.#loop.uvMetricsInfo.loopCount;
    // If a busy period began in this or the previous iteration, its start is known more precisely from a read.
    if (!this.hasWaitedSince(this.#busySinceIdleMs) && iteration - this.#busySinceIteration < 2) return;
    this.#setBusySince(this.#now(), idleMs, iteration);
  }

  /**
   * Reports whether the loop has waited for events, instead of only polling, since the moment when `idleTime`
   * was `idleMs`.
   */
  hasWaitedSince(idleMs: number): boolean {
    return this.#loop.idleTime - idleMs > MIN_WAIT_MS;
  }

  #setBusySince(nowNs: number, idleMs: number, iteration: number): void {
    this.#busySinceNs = nowNs;
    this.#busySinceIdleMs = idleMs;
    this.#busySinceIteration = iteration;
  }

  /**
   * Computes the busy time between the previous poll and this poll, in ns; 0 if the loop has waited. If the
   * busy period spans several iterations, they are assumed to be equally long.
   */
  #computeBusyNs(nowNs: number, idleMs: number, iteration: number): number {
    if (idleMs - this.#busySinceIdleMs > MIN_WAIT_MS) return 0;
    return (nowNs - this.#busySinceNs) / Math.max(1, iteration - this.#busySinceIteration);
  }
}
