import type { BucketEdges } from '../bucketEdges.ts';
import type { PercentileEstimates } from '../estimator.ts';
import type { Intervals } from '../intervals.ts';
import { interpolatePercentile, mapPercents } from '../percents.ts';

/**
 * Observations that are uniformly distributed between two values; if the values are equal, all observations
 * have this value.
 */
export interface Span {
  readonly lower: number;
  readonly upper: number;
  readonly count: number;
}

/** The observations of one bucket from all epochs of a run. */
export class Pool {
  readonly #spans: Span[] = [];
  /** Number of observations before each span; null until the spans are sorted. */
  #cumulative: Float64Array | null = null;

  /** Adds `count` observations between two values. */
  add(lower: number, upper: number, count: number): void {
    if (count > 0) this.#spans.push({ lower, upper, count });
  }

  /** Returns the value at an index of the sorted observations. */
  orderStatistic(index: number): number {
    this.#cumulative ??= this.#sort();
    const total = this.#cumulative[this.#spans.length]!;
    const rank = Math.min(index + 0.5, total * (1 - 1e-12));
    let low = 0;
    let high = this.#spans.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#cumulative[middle + 1]! <= rank) low = middle + 1;
      else high = middle;
    }
    const { lower, upper, count } = this.#spans[low]!;
    const share = (rank - this.#cumulative[low]!) / count;
    return lower + (upper - lower) * Math.min(Math.max(share, 0), 1);
  }

  /** Sorts the spans by their middles. Returns the number of observations before each span, then the total. */
  #sort(): Float64Array {
    this.#spans.sort((a, b) => a.lower + a.upper - b.lower - b.upper);
    const cumulative = new Float64Array(this.#spans.length + 1);
    this.#spans.forEach((span, at) => {
      cumulative[at + 1] = cumulative[at]! + span.count;
    });
    return cumulative;
  }
}

/**
 * Reports whether all observations are probably integers (such as token counts), because the sum of every
 * interval is an integer.
 */
export function areIntegers({ sum }: Intervals): boolean {
  return (
    sum.every(value => Math.abs(value - Math.round(value)) < 1e-6) && sum.some(value => Math.abs(value) >= 1)
  );
}

/**
 * Reads percentiles from the pooled observations. Each order statistic is looked up in the bucket that
 * contains its rank.
 */
export function readPercentiles(
  pools: readonly Pool[],
  totals: Float64Array,
  { lower, upper }: BucketEdges,
  hasIntegers: boolean,
): PercentileEstimates {
  const observations = totals.reduce((sum, count) => sum + count, 0);
  const at = (index: number): number => {
    let bucket = 0;
    let before = 0;
    while (bucket < totals.length - 1 && index >= before + totals[bucket]!) {
      before += totals[bucket]!;
      bucket += 1;
    }
    const value = pools[bucket]!.orderStatistic(index - before);
    return hasIntegers ? roundWithinBucket(value, lower[bucket]!, upper[bucket]!) : value;
  };
  let highest = Number.NEGATIVE_INFINITY;
  return mapPercents(percent => {
    highest = Math.max(highest, interpolatePercentile(percent, observations, at));
    return highest;
  });
}

/** Returns the nearest integer in a bucket, or the value itself if the bucket contains no integer. */
function roundWithinBucket(value: number, lower: number, upper: number): number {
  const min = lower === 0 ? 0 : Math.floor(lower) + 1;
  const max = Math.floor(upper);
  return min > max ? value : Math.min(Math.max(Math.round(value), min), max);
}
