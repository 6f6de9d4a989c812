import type { Clock } from '@org/core';
import type { BoundarySamples, RunRecord } from '@org/record';
import { MARK, type TimesByEndpoint, toBoundarySamples } from '@org/record/journal';
import type { Endpoint, JournalWriter } from '@org/scrape';

/**
 * The start and the end of profiling, and each endpoint's barrier samples at these times. Every change is journaled
 * immediately.
 */
export class PhaseBoundaries {
  readonly #clock: Clock;
  readonly #journal: JournalWriter;
  readonly #getIndex: (endpoint: Endpoint) => number;
  #startNs: bigint | undefined;
  #endNs: bigint | undefined;
  #baselineTimes = new Map<Endpoint, bigint>();
  readonly #closingTimes = new Map<Endpoint, bigint>();

  constructor(clock: Clock, journal: JournalWriter, getIndex: (endpoint: Endpoint) => number) {
    this.#clock = clock;
    this.#journal = journal;
    this.#getIndex = getIndex;
  }

  get hasStarted(): boolean {
    return this.#startNs !== undefined;
  }

  /**
   * Sets the start of profiling to the current time. `baselines` are the barrier samples before the start. A
   * later start replaces an earlier one. Returns the start, in nanoseconds since 1970.
   */
  start(baselines: Map<Endpoint, bigint>): bigint {
    const atNs = this.#clock.nowNs();
    this.#baselineTimes = baselines;
    this.#startNs = atNs;
    this.#journal.addMark({ kind: MARK.profilingStart, atNs, data: this.#toTimesByIndex(baselines) });
    return atNs;
  }

  /** Adds a baseline sample that arrived after its barrier. `baselines` must be the map that was passed to `start`. */
  addLateBaseline(baselines: Map<Endpoint, bigint>, endpoint: Endpoint, atNs: bigint): void {
    // A later start may have replaced these baselines.
    if (this.#baselineTimes === baselines) this.#add(MARK.baseline, baselines, endpoint, atNs);
  }

  /** Sets the end of profiling to the current time. Returns the end, in nanoseconds since 1970. */
  end(): bigint {
    const atNs = this.#clock.nowNs();
    this.#endNs = atNs;
    this.#journal.addMark({ kind: MARK.profilingEnd, atNs });
    return atNs;
  }

  /** Adds the first sample of an endpoint after the end of profiling. */
  addClosingSample(endpoint: Endpoint, atNs: bigint): void {
    this.#add(MARK.closing, this.#closingTimes, endpoint, atNs);
  }

  /** Returns the profiling period. If profiling never started, the period is empty and at the end of the run. */
  getPeriod(runEndNs: bigint): RunRecord['period'] {
    return { startNs: this.#startNs ?? runEndNs, endNs: this.#endNs ?? runEndNs };
  }

  /** Returns the barrier samples of one endpoint. */
  getSamples(endpoint: Endpoint): BoundarySamples {
    return toBoundarySamples(this.#baselineTimes.get(endpoint), this.#closingTimes.get(endpoint));
  }

  #add(kind: string, samples: Map<Endpoint, bigint>, endpoint: Endpoint, atNs: bigint): void {
    samples.set(endpoint, atNs);
    this.#journal.addMark({ kind, atNs, data: { [this.#getIndex(endpoint)]: atNs } });
  }

  #toTimesByIndex(times: ReadonlyMap<Endpoint, bigint>): TimesByEndpoint {
    return Object.fromEntries([...times].map(([endpoint, atNs]) => [this.#getIndex(endpoint), atNs]));
  }
}
