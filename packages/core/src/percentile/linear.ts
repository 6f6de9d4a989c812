import { computeHistogramIncrease } from '../period/resets.ts';
import type { HistogramWindow, PercentileEstimates } from './estimator.ts';
import { mapPercents } from './percents.ts';

/** Maximum difference of two counts, relative to their sum, that are considered equal. */
const SMALL_DELTA = 1e-12;

/**
 * Estimates percentiles like Prometheus' `histogram_quantile`: observations are spread evenly within a
 * bucket, quantiles in +Inf equal the highest finite bound, and the first bucket starts at 0 unless its bound
 * is 0 or less.
 *
 * Returns null if Prometheus returns NaN: without observations, without a +Inf bucket, or with fewer than two
 * buckets. As in Prometheus, counts that fall from one bound to the next are raised to the highest count
 * before them. See https://prometheus.io/docs/prometheus/latest/querying/functions/#histogram_quantile
 */
export function estimateLinearPercentiles(window: HistogramWindow): PercentileEstimates | null {
  const bounds = window.bounds.map(bound => bound.le);
  const counts = makeAscending(computeHistogramIncrease(window).cumulative);
  const observations = counts.at(-1) ?? 0;
  if (bounds.length < 2 || bounds.at(-1) !== Number.POSITIVE_INFINITY) return null;
  if (!(observations > 0 && Number.isFinite(observations))) return null;
  return mapPercents(percent => interpolate((percent / 100) * observations, bounds, counts));
}

/** Returns the value at a rank (0 to the number of observations), for ascending cumulative counts. */
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

/** Raises each count that is lower than a previous count. */
function makeAscending(counts: Float64Array): Float64Array {
  let highest = counts[0] ?? 0;
  return counts.map(count => {
    if (count > highest && !areNearlyEqual(count, highest)) highest = count;
    return highest;
  });
}

function areNearlyEqual(a: number, b: number): boolean {
  return a !== 0 && b !== 0 && Math.abs(a - b) / (Math.abs(a) + Math.abs(b)) < SMALL_DELTA;
}
