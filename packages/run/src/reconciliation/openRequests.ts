import { lowerBound, upperBound } from '@org/core';

/** Resolution of the counts, in nanoseconds. */
const BUCKET_NS = 250_000_000;

/** A time range, in nanoseconds since the origin of the load. */
export interface Range {
  readonly startNs: number;
  readonly endNs: number;
}

/** A part of a range in which requests were open. */
export interface OpenRange extends Range {
  readonly requests: number;
}

/** The client's open requests, and the wall time that their times are relative to. */
export interface ClientRequests {
  readonly open: OpenRequests;
  /** In nanoseconds since 1970. */
  readonly originNs: bigint;
}

/** The numbers of requests that started and ended over time. The memory depends on the duration of the load only. */
export class OpenRequests {
  readonly #started = new EventCounts();
  readonly #ended = new EventCounts();

  /** Adds a request; times are in nanoseconds since the origin of the load. */
  add(startNs: number, endNs: number): void {
    this.#started.add(toBucket(startNs));
    this.#ended.add(toBucket(endNs));
  }

  /** Counts the requests that ended in a range. The number is an upper bound. */
  countEnded({ startNs, endNs }: Range): number {
    return this.#ended.countBefore(toBucket(endNs) + 1) - this.#ended.countBefore(toBucket(startNs));
  }

  /**
   * Finds the part of a range in which requests were open until its end. The number of requests is a lower bound.
   * Returns undefined if no request was open.
   */
  findOpen({ startNs, endNs }: Range): OpenRange | undefined {
    const endBucket = toBucket(endNs);
    const ended = this.#ended.countBefore(endBucket + 1);
    const bucket = Math.max(toBucket(startNs) + 1, this.#started.findExcess(ended));
    if (bucket >= endBucket) return undefined;
    const requests = this.#started.countBefore(endBucket) - ended;
    return { startNs: Math.max(startNs, bucket * BUCKET_NS), endNs, requests };
  }

  /**
   * Finds the longest part of a range in which requests were open and none ended. The number of requests is a lower
   * bound. Returns undefined if there is no such part.
   */
  findUnchanged({ startNs, endNs }: Range): OpenRange | undefined {
    const endBucket = toBucket(endNs);
    let longest: OpenRange | undefined;
    let from = toBucket(startNs) + 1;
    for (let bucket = from; bucket <= endBucket; bucket++) {
      const ended = this.#ended.countBefore(bucket);
      if (bucket < endBucket && this.#ended.countBefore(bucket + 1) === ended) continue;
      const requests = this.#started.countBefore(from) - ended;
      const part = { startNs: from * BUCKET_NS, endNs: bucket * BUCKET_NS, requests };
      if (requests > 0 && (!longest || part.endNs - part.startNs > longest.endNs - longest.startNs))
        longest = part;
      from = bucket + 1;
    }
    return longest;
  }
}

function toBucket(ns: number): number {
  return Math.max(0, Math.floor(ns / BUCKET_NS));
}

/** The buckets with events in ascending order, and the number of events up to each of them. */
interface Totals {
  readonly buckets: Float64Array;
  readonly counts: Float64Array;
}

/** Counts events by bucket. */
class EventCounts {
  readonly #counts = new Map<number, number>();
  #totals: Totals | undefined;

  add(bucket: number): void {
    this.#counts.set(bucket, (this.#counts.get(bucket) ?? 0) + 1);
    this.#totals = undefined;
  }

  /** Counts the events before a bucket. */
  countBefore(bucket: number): number {
    const { buckets, counts } = this.#getTotals();
    return counts[lowerBound(buckets, bucket) - 1] ?? 0;
  }

  /** Returns the first bucket before which there were more events than `count`; infinity if there never were. */
  findExcess(count: number): number {
    const { buckets, counts } = this.#getTotals();
    return (buckets[upperBound(counts, count)] ?? Number.POSITIVE_INFINITY) + 1;
  }

  #getTotals(): Totals {
    this.#totals ??= computeTotals(this.#counts);
    return this.#totals;
  }
}

function computeTotals(countsByBucket: ReadonlyMap<number, number>): Totals {
  const buckets = Float64Array.from(countsByBucket.keys()).sort();
  let total = 0;
  const counts = buckets.map(bucket => {
    total += countsByBucket.get(bucket)!;
    return total;
  });
  return { buckets, counts };
}
