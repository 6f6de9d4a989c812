/** A wall clock that never steps, such as the scraper's: one reading of the wall, carried on by the monotonic clock. */
export interface Clock {
  /** ns since 1970. */
  nowNs(): bigint;
  /** ms of the monotonic clock; only differences mean something. */
  monotonicMs(): number;
}

/**
 * The time of one run. Times are whole ns since its origin, as numbers: exact for 104 days, and cheap to take for each chunk.
 * {@link wallNs} brings them back to the wall.
 */
export class RunClock {
  /** Wall time of the origin, ns since 1970. */
  readonly originNs: bigint;
  readonly #clock: Clock;
  readonly #originMs: number;

  /** `origin`: now, or another moment by both readings of the clock. */
  constructor(clock: Clock, origin?: { readonly wallNs: bigint; readonly monotonicMs: number }) {
    this.#clock = clock;
    this.originNs = origin?.wallNs ?? clock.nowNs();
    this.#originMs = origin?.monotonicMs ?? clock.monotonicMs();
  }

  /** ns since the origin. */
  now(): number {
    return Math.round((this.#clock.monotonicMs() - this.#originMs) * 1e6);
  }
}

/** Wall time, ns since 1970, of a time of a run. */
export function wallNs(originNs: bigint, timeNs: number): bigint {
  return originNs + BigInt(Math.round(timeNs));
}
