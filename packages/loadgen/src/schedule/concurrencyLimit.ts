/** How many sessions may be under way. */
export class Concurrency {
  readonly #most: number;
  readonly #rampNs: number;

  /** `most` after `rampS` seconds, in which it rises from 1 in a straight line. Throws for what cannot be. */
  constructor(most: number = Number.POSITIVE_INFINITY, rampS = 0) {
    if (!(most >= 1 && (Number.isInteger(most) || most === Number.POSITIVE_INFINITY)))
      throw new RangeError(`concurrency is ${most}; a whole number from 1 is accepted`);
    if (!(rampS >= 0 && rampS < 1e7))
      throw new RangeError(`concurrency ramp is ${rampS} s; a number from 0 is accepted`);
    this.#most = most;
    this.#rampNs = Number.isFinite(most) ? rampS * 1e9 : 0;
  }

  get isLimited(): boolean {
    return Number.isFinite(this.#most);
  }

  /** Places at a time, ns since the beginning of the phase. */
  placesAt(ns: number): number {
    if (ns >= this.#rampNs) return this.#most;
    return Math.min(this.#most, 1 + Math.floor(((this.#most - 1) * Math.max(0, ns)) / this.#rampNs));
  }

  /** When the next place is added; undefined when all are there. */
  nextChange(ns: number): number | undefined {
    const places = this.placesAt(ns);
    if (places >= this.#most) return undefined;
    return Math.ceil((places * this.#rampNs) / (this.#most - 1));
  }
}
