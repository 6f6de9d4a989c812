import type { PercentileEstimates } from './estimator.ts';

/** The percents that are exported, ascending. */
export const PERCENTS = [1, 5, 10, 25, 50, 75, 90, 95, 99] as const;

export type Percent = (typeof PERCENTS)[number];

/** What `at` gives for each percent (1 to 99), under the names p1 to p99. */
export function forEachPercent<T>(at: (percent: Percent) => T): Record<keyof PercentileEstimates, T> {
  return {
    p1: at(1),
    p5: at(5),
    p10: at(10),
    p25: at(25),
    p50: at(50),
    p75: at(75),
    p90: at(90),
    p95: at(95),
    p99: at(99),
  };
}

/**
 * A percentile of `count` ordered values, linear between the two order statistics at h = q (count - 1), which is
 * NumPy's default and what the seeds use for gauges.
 *
 * @param orderStatistic the value with that many smaller ones before it, 0 to count - 1
 */
export function linearPercentile(
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
