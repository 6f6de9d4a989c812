import type { Clock } from '@org/core';

/**
 * The clock of one run. Times are whole ns since the run's origin. They are numbers, which are exact for 104
 * days and cheaper than bigints, because every received chunk is timestamped. {@link toWallNs} converts them to
 * Unix time.
 */
export class RunClock {
  /** Unix time of the origin, in ns. */
  readonly originNs: bigint;
  readonly #clock: Clock;
  readonly #originMs: number;

  /** `origin` is the same moment read from both clocks; by default, the current time. */
  constructor(clock: Clock, origin?: { readonly wallNs: bigint; readonly monotonicMs: number }) {
    this.#clock = clock;
    // In this order, a pause between the two readings makes Unix times late, but never early.
    this.#originMs = origin?.monotonicMs ?? clock.monotonicMs();
    this.originNs = origin?.wallNs ?? clock.nowNs();
  }

  /** Returns the current time, in ns since the origin. */
  nowNs(): number {
    return Math.round((this.#clock.monotonicMs() - this.#originMs) * 1e6);
  }

  /** Converts a planned start in Unix ns to ns since the origin. Returns the current time if it is past or undefined. */
  resolveStart(wallNs: bigint | void): number {
    const nowNs = this.nowNs();
    return wallNs === undefined ? nowNs : Math.max(nowNs, Number(wallNs - this.originNs));
  }
}

/** Converts a time in ns since the run's origin to Unix time in ns. */
export function toWallNs(originNs: bigint, timeNs: number): bigint {
  return originNs + BigInt(Math.round(timeNs));
}
