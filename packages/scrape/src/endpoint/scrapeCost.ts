import type { FetchResult } from '../http/exchange.ts';

/** Durations and transfer sizes of an endpoint's scrapes, as measures of scrape overhead. */
export class ScrapeCost {
  /** Durations of successful and timed-out scrapes, from the request to the last byte or the timeout. */
  readonly durations: DurationSketch = new DurationSketch();
  /** Number of successful scrapes. */
  scrapes = 0;
  /** Total size of the bodies of successful scrapes as transferred, in bytes. */
  encodedBytes = 0;
  /** Total size of the bodies of successful scrapes after decompression, in bytes. */
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
/** The bound of the first bucket, in milliseconds. Shorter durations are rounded up to it. */
const MIN_DURATION_MS = 0.001;
/** Number of buckets. The last one also counts all durations above 10 minutes. */
const BUCKET_COUNT: number = Math.ceil(Math.log(600_000 / MIN_DURATION_MS) / Math.log(BUCKET_RATIO)) + 1;

/**
 * Estimates quantiles of any number of durations with about 4 KiB of memory. Bucket bounds grow
 * geometrically, as in DDSketch (Masson, Rim and Lee, 2019).
 */
export class DurationSketch {
  readonly #counts: Uint32Array = new Uint32Array(BUCKET_COUNT);
  #count = 0;
  #maxMs = 0;

  add(durationMs: number): void {
    const bucket = Math.ceil(
      Math.log(Math.max(durationMs, MIN_DURATION_MS) / MIN_DURATION_MS) / Math.log(BUCKET_RATIO),
    );
    this.#counts[Math.min(bucket, BUCKET_COUNT - 1)]!++;
    this.#count++;
    this.#maxMs = Math.max(this.#maxMs, durationMs);
  }

  get count(): number {
    return this.#count;
  }

  /**
   * Returns the duration at quantile `q` (0 < q <= 1), in milliseconds, accurate to 1%; undefined if
   * there are no durations.
   */
  computeQuantile(q: number): number | undefined {
    if (this.#count === 0) return undefined;
    const rank = Math.ceil(q * this.#count);
    let cumulativeCount = 0;
    let bucket = 0;
    for (; bucket < BUCKET_COUNT - 1; bucket++) {
      cumulativeCount += this.#counts[bucket]!;
      if (cumulativeCount >= rank) break;
    }
    // The value with the same relative error at both bounds of the bucket.
    const middleMs = (MIN_DURATION_MS * BUCKET_RATIO ** bucket * 2) / (BUCKET_RATIO + 1);
    return Math.min(middleMs, this.#maxMs);
  }
}
