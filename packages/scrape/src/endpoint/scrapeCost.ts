import type { FetchResult } from '../http/exchange.ts';

/** The cost of an endpoint's scrapes for its server and the network. */
export class ScrapeCost {
  /** Durations from the request to the last byte, of successful scrapes and timeouts. */
  readonly durations: DurationSketch = new DurationSketch();
  /** Number of successful scrapes. */
  scrapes = 0;
  /** Total sizes of their bodies, as transferred and decoded. */
  encodedBytes = 0;
  decodedBytes = 0;

  /** Adds a successful or timed-out exchange. */
  add({ durationMs, encodedBytes, body }: FetchResult): void {
    this.durations.add(durationMs);
    if (!body) return;
    this.scrapes++;
    this.encodedBytes += encodedBytes;
    this.decodedBytes += body.length;
  }
}

/** Ratio of adjacent bucket bounds. Quantiles are accurate to 1%. */
const BUCKET_RATIO = 1.02;
/** Shorter durations count as this one, in milliseconds. */
const MIN_DURATION_MS = 0.001;
/** Enough for 10 minutes. */
const BUCKET_COUNT: number = Math.ceil(Math.log(600_000 / MIN_DURATION_MS) / Math.log(BUCKET_RATIO)) + 1;

/**
 * Estimates quantiles of any number of durations in 4 KiB. Bucket bounds grow geometrically, as in DDSketch
 * (Masson, Rim, Lee 2019).
 */
export class DurationSketch {
  readonly #counts: Uint32Array = new Uint32Array(BUCKET_COUNT);
  #count = 0;
  #maxMs = 0;

  add(durationMs: number): void {
    const at = Math.ceil(
      Math.log(Math.max(durationMs, MIN_DURATION_MS) / MIN_DURATION_MS) / Math.log(BUCKET_RATIO),
    );
    this.#counts[Math.min(at, BUCKET_COUNT - 1)]!++;
    this.#count++;
    this.#maxMs = Math.max(this.#maxMs, durationMs);
  }

  get count(): number {
    return this.#count;
  }

  /**
   * Returns the duration in milliseconds at quantile `q`, 0 < q <= 1, accurate to 1%. Undefined if there are
   * no durations.
   */
  computeQuantile(q: number): number | undefined {
    if (this.#count === 0) return undefined;
    const rank = Math.ceil(q * this.#count);
    let cumulativeCount = 0;
    let at = 0;
    for (; at < BUCKET_COUNT - 1; at++) {
      cumulativeCount += this.#counts[at]!;
      if (cumulativeCount >= rank) break;
    }
    // The value with equal relative error to both bounds of the bucket.
    const middleMs = (MIN_DURATION_MS * BUCKET_RATIO ** at * 2) / (BUCKET_RATIO + 1);
    return Math.min(middleMs, this.#maxMs);
  }
}
