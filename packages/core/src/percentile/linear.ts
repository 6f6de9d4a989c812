import { increaseOf } from '../period/resets.ts';
import type { HistogramWindow, PercentileEstimates } from './estimator.ts';
import { forEachPercent } from './percents.ts';

/** Two neighbouring counts that differ by less than this share of their sum are the same: rounding, not data. */
const SMALL_DELTA = 1e-12;

/**
 * The percentiles that Prometheus' `histogram_quantile` gives for what the window counted: the observations of a
 * bucket lie evenly between its bounds, a quantile in +Inf is the highest finite bound, and the first bucket begins
 * at 0 unless its bound is 0 or less.
 *
 * Null where Prometheus says NaN: no observations, no +Inf bucket, fewer than two buckets. Counts that fall from a
 * bound to the next one are raised to the highest count before them, as Prometheus does.
 * Rules: https://prometheus.io/docs/prometheus/latest/querying/functions/#histogram_quantile
 */
export function linearPercentiles(window: HistogramWindow): PercentileEstimates | null {
  const bounds = window.bounds.map(bound => bound.le);
  const counts = ascendingCounts(increaseOf(window).cumulative);
  const observations = counts.at(-1) ?? 0;
  if (bounds.length < 2 || bounds.at(-1) !== Number.POSITIVE_INFINITY) return null;
  if (!(observations > 0 && Number.isFinite(observations))) return null;
  return forEachPercent(percent => interpolate((percent / 100) * observations, bounds, counts));
}

/** The value of a rank (0 to the number of observations) in cumulative counts that never fall. */
function interpolate(rank: number, bounds: readonly number[], counts: Float64Array): number {
  const last = bounds.length - 1;
  let bucket = 0;
  while (bucket < last && counts[bucket]! < rank) bucket += 1;
  const upper = bounds[bucket]!;
  if (bucket === last) return bounds[last - 1]!;
  if (bucket === 0) return upper <= 0 ? upper : upper * (rank / counts[0]!);
  const lower = bounds[bucket - 1]!;
  const before = counts[bucket - 1]!;
  return lower + (upper - lower) * ((rank - before) / (counts[bucket]! - before));
}

function ascendingCounts(counts: Float64Array): Float64Array {
  let highest = counts[0] ?? 0;
  return counts.map(count => {
    if (count > highest && !nearlyEqual(count, highest)) highest = count;
    return highest;
  });
}

function nearlyEqual(a: number, b: number): boolean {
  return a !== 0 && b !== 0 && Math.abs(a - b) / (Math.abs(a) + Math.abs(b)) < SMALL_DELTA;
}
