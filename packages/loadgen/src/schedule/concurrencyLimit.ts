import { countShare, type Shard, toRunNumber, WHOLE_RUN } from '@org/core';

/** The maximum number of active sessions, with an optional linear ramp at the start of a phase. */
export class ConcurrencyLimit {
  readonly #max: number;
  readonly #rampNs: number;
  readonly #shard: Shard;

  /**
   * The limit rises linearly from 1 to `max` within `rampS` seconds. A shard has its share of the slots. Throws RangeError
   * for invalid values.
   */
  constructor(max: number = Number.POSITIVE_INFINITY, rampS = 0, shard: Shard = WHOLE_RUN) {
    if (!(max >= 1 && (Number.isInteger(max) || max === Number.POSITIVE_INFINITY)))
      throw new RangeError(`concurrency is ${max}; expected an integer of at least 1`);
    if (!(rampS >= 0 && rampS < 1e7))
      throw new RangeError(`concurrency ramp is ${rampS} s; expected a number of at least 0`);
    this.#max = max;
    this.#rampNs = Number.isFinite(max) ? rampS * 1e9 : 0;
    this.#shard = shard;
  }

  get isLimited(): boolean {
    return Number.isFinite(this.#max);
  }

  /** Returns the number of slots `elapsedNs` after the start of the phase. */
  countSlots(elapsedNs: number): number {
    return countShare(this.#countAllSlots(elapsedNs), this.#shard);
  }

  /**
   * Returns when the next slot after `elapsedNs` is added, in ns since the start of the phase; undefined after
   * the ramp.
   */
  findNextChange(elapsedNs: number): number | undefined {
    const slots = this.countSlots(elapsedNs);
    const next = toRunNumber(slots, this.#shard);
    if (next >= this.#max) return undefined;
    return Math.ceil((next * this.#rampNs) / (this.#max - 1));
  }

  /** Returns the number of slots of all shards. */
  #countAllSlots(elapsedNs: number): number {
    if (elapsedNs >= this.#rampNs) return this.#max;
    return Math.min(this.#max, 1 + Math.floor(((this.#max - 1) * Math.max(0, elapsedNs)) / this.#rampNs));
  }
}
