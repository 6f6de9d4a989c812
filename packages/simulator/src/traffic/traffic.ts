import type { Random } from '@org/core';
import type { RequestSpec } from '../engine/request.ts';
import { draw } from './distribution.ts';
import { computePeakRate, computeRate, type Load } from './load.ts';
import { drawRequest, type Workload } from './workload.ts';

/** An arriving request. Its client disconnects `abortAfterNs` after arrival; Infinity if it does not. */
export interface Arrival {
  readonly spec: RequestSpec;
  readonly abortAfterNs: number;
}

/** Requests of a workload with Poisson arrivals at the rate of a load (thinning; Lewis and Shedler, 1979). */
export class Traffic {
  readonly #load: Load;
  readonly #workload: Workload;
  readonly #maxModelLen: number;
  readonly #timeRandom: Random;
  readonly #lengthRandom: Random;
  #nextNs: number;

  constructor(load: Load, workload: Workload, maxModelLen: number, random: Random) {
    this.#load = load;
    this.#workload = workload;
    this.#maxModelLen = maxModelLen;
    this.#timeRandom = random.fork('arrival times');
    this.#lengthRandom = random.fork('request lengths');
    this.#nextNs = this.#drawNextNs(0);
  }

  /** Time of the next arrival, in ns; Infinity after the last one. */
  get nextNs(): number {
    return this.#nextNs;
  }

  /** Takes the next arrival. */
  take(): Arrival {
    this.#nextNs = this.#drawNextNs(this.#nextNs);
    return {
      spec: drawRequest(this.#workload, this.#maxModelLen, this.#lengthRandom),
      abortAfterNs: this.#lengthRandom.chance(this.#workload.abortShare)
        ? Math.round(draw(this.#workload.abortAfterS, this.#lengthRandom) * 1e9)
        : Number.POSITIVE_INFINITY,
    };
  }

  #drawNextNs(ns: number): number {
    const peak = computePeakRate(this.#load);
    if (peak === 0) return Number.POSITIVE_INFINITY;
    for (let candidateNs = ns; ; ) {
      candidateNs += this.#timeRandom.exponential(1e9 / peak);
      const rate = computeRate(this.#load, candidateNs / 1e9);
      if (rate === undefined) return Number.POSITIVE_INFINITY;
      if (this.#timeRandom.chance(rate / peak)) return Math.ceil(candidateNs);
    }
  }
}
