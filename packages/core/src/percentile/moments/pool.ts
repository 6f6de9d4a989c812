import type { BucketEdges } from '../bucketEdges.ts';
import type { PercentileEstimates } from '../estimator.ts';
import type { Intervals } from '../intervals.ts';
import { forEachPercent, linearPercentile } from '../percents.ts';

/** Observations spread evenly between two values, or all at one. */
export interface Span {
  readonly lower: number;
  readonly upper: number;
  readonly count: number;
}

/** All observations of one bucket, gathered over the epochs of a run. */
export class Pool {
  private readonly spans: Span[] = [];
  private running: Float64Array | null = null;

  add(lower: number, upper: number, count: number): void {
    if (count > 0) this.spans.push({ lower, upper, count });
  }

  /** The value with `index` smaller ones before it. */
  orderStatistic(index: number): number {
    this.running ??= this.sort();
    const total = this.running[this.spans.length]!;
    const rank = Math.min(index + 0.5, total * (1 - 1e-12));
    let low = 0;
    let high = this.spans.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.running[middle + 1]! <= rank) low = middle + 1;
      else high = middle;
    }
    const { lower, upper, count } = this.spans[low]!;
    const share = (rank - this.running[low]!) / count;
    return lower + (upper - lower) * Math.min(Math.max(share, 0), 1);
  }

  /** Orders the spans by their middles; gives how many observations lie before each. */
  private sort(): Float64Array {
    this.spans.sort((a, b) => a.lower + a.upper - b.lower - b.upper);
    const running = new Float64Array(this.spans.length + 1);
    this.spans.forEach((span, at) => {
      running[at + 1] = running[at]! + span.count;
    });
    return running;
  }
}

/** Whether all observations seem to be whole numbers (tokens): every interval's sum is one. */
export function areIntegers({ sum }: Intervals): boolean {
  return (
    sum.every(value => Math.abs(value - Math.round(value)) < 1e-6) && sum.some(value => Math.abs(value) >= 1)
  );
}

/** Percentiles of the pooled observations; each order statistic is looked up in the bucket that holds its rank. */
export function pooledPercentiles(
  pools: readonly Pool[],
  totals: Float64Array,
  { lower, upper }: BucketEdges,
  integers: boolean,
): PercentileEstimates {
  const observations = totals.reduce((all, count) => all + count, 0);
  const at = (index: number): number => {
    let bucket = 0;
    let before = 0;
    while (bucket < totals.length - 1 && index >= before + totals[bucket]!) {
      before += totals[bucket]!;
      bucket += 1;
    }
    const value = pools[bucket]!.orderStatistic(index - before);
    return integers ? wholeNumber(value, lower[bucket]!, upper[bucket]!) : value;
  };
  let highest = Number.NEGATIVE_INFINITY;
  return forEachPercent(percent => {
    highest = Math.max(highest, linearPercentile(percent, observations, at));
    return highest;
  });
}

/** The nearest whole number of a bucket, or the value itself when there is none. */
function wholeNumber(value: number, lower: number, upper: number): number {
  const least = lower === 0 ? 0 : Math.floor(lower) + 1;
  const most = Math.floor(upper);
  return least > most ? value : Math.min(Math.max(Math.round(value), least), most);
}
