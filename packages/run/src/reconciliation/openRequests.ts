/** Resolution of the counts, in nanoseconds. */
const BUCKET_NS = 250_000_000;

/** A time range, in nanoseconds since the origin of the load. */
interface Range {
  readonly startNs: number;
  readonly endNs: number;
}

/** A part of a range in which requests were open. */
export interface OpenRange extends Range {
  readonly requests: number;
}

/** The numbers of requests that started and ended over time. The memory depends on the duration of the load only. */
export class OpenRequests {
  readonly #started: number[] = [];
  readonly #ended: number[] = [];

  /** Adds a request; times are in nanoseconds since the origin of the load. */
  add(startNs: number, endNs: number): void {
    increment(this.#started, startNs);
    increment(this.#ended, endNs);
  }

  /** Counts the requests that ended in a range. The number is an upper bound. */
  countEnded({ startNs, endNs }: Range): number {
    return countBefore(this.#ended, toBucket(endNs) + 1) - countBefore(this.#ended, toBucket(startNs));
  }

  /**
   * Finds the part of a range in which requests were open until its end. The number of requests is a lower bound.
   * Returns undefined if no request was open.
   */
  findOpen({ startNs, endNs }: Range): OpenRange | undefined {
    const endBucket = toBucket(endNs);
    const ended = countBefore(this.#ended, endBucket + 1);
    for (let bucket = toBucket(startNs) + 1; bucket < endBucket; bucket++)
      if (countBefore(this.#started, bucket) > ended) {
        const requests = countBefore(this.#started, endBucket) - ended;
        return { startNs: Math.max(startNs, bucket * BUCKET_NS), endNs, requests };
      }
    return undefined;
  }
}

function toBucket(ns: number): number {
  return Math.max(0, Math.floor(ns / BUCKET_NS));
}

function increment(counts: number[], ns: number): void {
  const bucket = toBucket(ns);
  counts[bucket] = (counts[bucket] ?? 0) + 1;
}

function countBefore(counts: readonly number[], bucket: number): number {
  let total = 0;
  for (let i = 0; i < Math.min(bucket, counts.length); i++) total += counts[i] ?? 0;
  return total;
}
