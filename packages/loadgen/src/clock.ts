import type { Clock } from '@org/core';

/**
 * The clock of one run. Times are whole ns since the run's origin, as numbers: exact for 104 days, and cheaper than bigints for
 * a timestamp of each chunk. {@link toWallNs} converts them to wall time.
 */
export class RunClock {
  /** Unix time of the origin, in ns. */
  readonly originNs: bigint;
  readonly #clock: Clock;
  readonly #originMs: number;

  /** `origin` is one moment read from both clocks; the current time by default. */
  constructor(clock: Clock, origin?: { readonly wallNs: bigint; readonly monotonicMs: number }) {
    this.#clock = clock;
    this.originNs = origin?.wallNs ?? clock.nowNs();
    this.#originMs = origin?.monotonicMs ?? clock.monotonicMs();
  }

  /** Returns ns since the origin. */
  now(): number {
    return Math.round((this.#clock.monotonicMs() - this.#originMs) * 1e6);
  }
}

/** Converts a time of a run to Unix time in ns. */
export function toWallNs(originNs: bigint, timeNs: number): bigint {
  return originNs + BigInt(Math.round(timeNs));
}
