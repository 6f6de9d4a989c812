/** Each bucket's upper end is so many times its lower one: what is read back is off by 1 % at most. */
const STEP = 1.02;
/** Shorter durations are this long, in ms. */
const MIN_DURATION_MS = 0.001;
/** Up to 10 minutes. */
const BUCKETS: number = Math.ceil(Math.log(600_000 / MIN_DURATION_MS) / Math.log(STEP)) + 1;

/**
 * The distribution of any number of durations in 4 KiB: counts by buckets whose ends grow in proportion, as in DDSketch (Masson,
 * Rim, Lee 2019).
 */
export class DurationSketch {
  readonly #counts: Uint32Array = new Uint32Array(BUCKETS);
  #count = 0;
  #longestMs = 0;

  add(durationMs: number): void {
    const at = Math.ceil(Math.log(Math.max(durationMs, MIN_DURATION_MS) / MIN_DURATION_MS) / Math.log(STEP));
    this.#counts[Math.min(at, BUCKETS - 1)]!++;
    this.#count++;
    this.#longestMs = Math.max(this.#longestMs, durationMs);
  }

  get count(): number {
    return this.#count;
  }

  /**
   * The duration in ms that a fraction `q` of them, 0 < q <= 1, does not exceed: the one of that rank, good to 1 %. Undefined
   * without any.
   */
  quantile(q: number): number | undefined {
    if (this.#count === 0) return undefined;
    const rank = Math.ceil(q * this.#count);
    let seen = 0;
    let at = 0;
    for (; at < BUCKETS - 1; at++) {
      seen += this.#counts[at]!;
      if (seen >= rank) break;
    }
    // What lies in the middle, in proportion, of a bucket is off by the same part to both sides.
    const middleMs = (MIN_DURATION_MS * STEP ** at * 2) / (STEP + 1);
    return Math.min(middleMs, this.#longestMs);
  }
}
