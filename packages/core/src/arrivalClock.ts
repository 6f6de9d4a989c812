/** The event loop counters of Node's `performance.nodeTiming`. */
export interface LoopTimes {
  /** Total time spent waiting for events, in ms. */
  readonly idleTime: number;
}

/**
 * Schedules a callback to run after all sockets of the current loop iteration have been read, such as
 * `setImmediate`.
 */
export type AfterReads = (callback: () => void) => void;

/** Maximum number of sockets that libuv reports per poll; after that many reads, it polls again. */
const MAX_SOCKETS_PER_POLL = 1024;

/**
 * Dates received bytes. The event loop polls all sockets at once and then reads them one by one: the last of
 * 200 sockets is read milliseconds after the first, although all of them had data when they were polled. The
 * first read of each socket in an iteration is therefore dated at the poll. If the loop was busy before the
 * poll, the bytes may have arrived earlier, but never later: no time precedes the arrival.
 */
export class ArrivalClock {
  readonly #now: () => number;
  readonly #loop: LoopTimes;
  readonly #afterReads: AfterReads;
  /** Time of the poll of the current iteration, in ns; undefined before its first read. */
  #pollNs: number | undefined;
  /** Number of reads since the poll. */
  #reads = 0;
  /** Total idle time of the loop at the first read of the current iteration, in ms. */
  #iterationIdleMs = 0;
  readonly #endReads = (): void => {
    this.#pollNs = undefined;
  };

  /** @param now a monotonic clock, in ns */
  constructor(now: () => number, loop: LoopTimes, afterReads: AfterReads) {
    this.#now = now;
    this.#loop = loop;
    this.#afterReads = afterReads;
  }

  /**
   * Returns the time of the poll that reported the socket being read, in ns. Call it once for each read. Further
   * bytes of the same read may have arrived after the poll.
   */
  readPollNs(): number {
    const idleMs = this.#loop.idleTime;
    const isSamePoll =
      this.#pollNs !== undefined && idleMs === this.#iterationIdleMs && this.#reads < MAX_SOCKETS_PER_POLL;
    if (!isSamePoll) {
      if (this.#pollNs === undefined) this.#afterReads(this.#endReads);
      this.#pollNs = this.#now();
      this.#iterationIdleMs = idleMs;
      this.#reads = 0;
    }
    this.#reads += 1;
    return this.#pollNs!;
  }
}
