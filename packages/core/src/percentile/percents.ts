import type { PercentileEstimates } from './estimator.ts';

/** The exported percentiles, in ascending order. */
export const PERCENTS = [1, 5, 10, 25, 50, 75, 90, 95, 99] as const;

/** An exported percentile. */
export type Percent = (typeof PERCENTS)[number];

/** Maps each exported percentile (1 to 99) to a value, with the keys p1 to p99. */
export function mapPercents<T>(map: (percent: Percent) => T): Record<keyof PercentileEstimates, T> {
  return {
    p1: map(1),
    p5: map(5),
    p10: map(10),
    p25: map(25),
    p50: map(50),
    p75: map(75),
    p90: map(90),
    p95: map(95),
    p99: map(99),
  };
}

/**
 * Computes a percentile of `count` ordered values by linear interpolation between the two order statistics at
 * h = q (count - 1), NumPy's default method.
 *
 * @param orderStatistic returns the value at an index of the sorted values
 */
export function interpolatePercentile(
  percent: number,
  count: number,
  orderStatistic: (index: number) => number,
): number {
  const h = (percent / 100) * (count - 1);
  const below = Math.floor(h);
  const lower = orderStatistic(below);
  if (h === below) return lower;
  return lower + (h - below) * (orderStatistic(below + 1) - lower);
}
