import type { BucketEdges } from '../edges.ts';
import type { PercentileEstimates } from '../estimator.ts';
import type { Intervals } from '../intervals.ts';
import { forEachPercent, linearPercentile } from '../percents.ts';
import type { Pool } from './pool.ts';

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
