import type { HistogramWindow, PercentileEstimates, PercentileEstimator } from '../percentile/estimator.ts';
import { histogramResets, withoutResets } from '../period/resets.ts';
import { mapSlices, rowsAtEdges, type Slice, type Slices } from '../period/timeslices.ts';

/**
 * How many observations were <= a bound, by the bound as the server printed it, in ascending order. Pairs and not
 * an object, in which "1" would jump ahead of "0.005".
 */
export type BucketCounts = readonly (readonly [le: string, count: number])[];

/** `p1_estimate` to `p99_estimate`: all of them, or none when the estimator cannot say. */
export type EstimateStatistics = {
  readonly [K in keyof PercentileEstimates as `${K}_estimate`]?: number;
};

/** What a histogram counted across resets: the whole block of figures, reset-corrected. DESIGN decision 10. */
export interface HistogramIncrease extends EstimateStatistics {
  readonly count: number;
  readonly sum: number;
  /** Absent without observations. */
  readonly avg?: number;
  readonly buckets: BucketCounts;
}

/**
 * What a histogram counted in a period: final minus reference. Seed 001, "Histogram Stats Fields".
 *
 * Without observations only `count` is there. When the histogram began again in the period, `count` and `sum` are
 * the net differences, at least 0, there are no percentiles, and `resets` and `increase` stand beside them.
 */
export interface HistogramStatistics extends EstimateStatistics {
  readonly count: number;
  readonly sum?: number;
  readonly avg?: number;
  /** Per second between the last sample and the reference; absent when there is no time between them. */
  readonly count_rate?: number;
  readonly sum_rate?: number;
  readonly resets?: number;
  readonly increase?: HistogramIncrease;
}

/** What a histogram counted in one timeslice. */
export interface HistogramSlice extends Slice {
  readonly count: number;
  readonly sum: number;
  /** 0 without observations. */
  readonly avg: number;
  /** Null when a bucket fell. */
  readonly buckets: BucketCounts | null;
}

/** The statistics of a histogram, and its buckets: null when the histogram began again in the period. */
export interface HistogramSummary {
  readonly stats: HistogramStatistics;
  readonly buckets: BucketCounts | null;
}

/**
 * The statistics of a histogram.
 *
 * @param window row 0 is the reference, at least one row
 */
export function histogramSummary(window: HistogramWindow, estimator: PercentileEstimator): HistogramSummary {
  const resets = histogramResets(window);
  const last = window.counts.length - 1;
  const net = difference(window, 0, last);
  if (resets.length > 0) {
    const clamped = { count: Math.max(net.count, 0), sum: Math.max(net.sum, 0) };
    const increase = increaseOf(withoutResets(window, resets), estimator);
    const stats = {
      ...clamped,
      ...average(clamped),
      ...rates(clamped, window),
      resets: resets.length,
      increase,
    };
    return { stats, buckets: null };
  }
  const buckets = bucketCounts(window, 0, last);
  if (net.count === 0) return { stats: { count: 0 }, buckets };
  const stats = { ...net, ...average(net), ...rates(net, window), ...estimates(window, estimator) };
  return { stats, buckets };
}

/**
 * The slices of a histogram, by its last samples at their edges. A slice in which the histogram fell is left out: it
 * began again there, and what it counted is not known.
 */
export function histogramSlices(window: HistogramWindow, slices: Slices): HistogramSlice[] {
  // A sum may fall by itself when observations are negative, as a bound below 0 shows.
  const sumMayFall = window.bounds.some(bound => bound.le < 0);
  const rows = rowsAtEdges(slices, window.timesNs);
  return mapSlices<HistogramSlice>(slices, (startNs, endNs, index) => {
    const from = rows[index]!;
    const to = rows[index + 1]!;
    const { count, sum } = difference(window, from, to);
    if (count < 0 || (sum < 0 && !sumMayFall)) return null;
    const buckets = bucketCounts(window, from, to);
    const fell = buckets.some(bucket => bucket[1] < 0);
    return {
      startNs,
      endNs,
      count,
      sum,
      avg: count > 0 ? sum / count : 0,
      buckets: fell ? null : buckets,
    };
  });
}

interface Difference {
  /** Truncated to an integer. */
  readonly count: number;
  readonly sum: number;
}

function difference({ counts, sums }: HistogramWindow, from: number, to: number): Difference {
  return { count: whole(counts[to]! - counts[from]!), sum: sums[to]! - sums[from]! };
}

function bucketCounts({ bounds, cumulative }: HistogramWindow, from: number, to: number): BucketCounts {
  const counts: (readonly [string, number])[] = [];
  for (let at = 0; at < bounds.length; at++) {
    const column = cumulative[at]!;
    counts.push([bounds[at]!.text, whole(column[to]! - column[from]!)]);
  }
  return counts;
}

function increaseOf(window: HistogramWindow, estimator: PercentileEstimator): HistogramIncrease {
  const last = window.counts.length - 1;
  const net = difference(window, 0, last);
  const buckets = bucketCounts(window, 0, last);
  if (net.count === 0) return { ...net, buckets };
  return { ...net, ...average(net), buckets, ...estimates(window, estimator) };
}

function average({ count, sum }: Difference): { avg?: number } {
  return count > 0 ? { avg: sum / count } : {};
}

function rates(
  { count, sum }: Difference,
  { timesNs }: HistogramWindow,
): { count_rate?: number; sum_rate?: number } {
  const seconds = (timesNs.at(-1)! - timesNs[0]!) / 1e9;
  return seconds > 0 ? { count_rate: count / seconds, sum_rate: sum / seconds } : {};
}

function estimates(window: HistogramWindow, estimator: PercentileEstimator): EstimateStatistics {
  const estimated = estimator(window);
  if (estimated === null) return {};
  return {
    p1_estimate: estimated.p1,
    p5_estimate: estimated.p5,
    p10_estimate: estimated.p10,
    p25_estimate: estimated.p25,
    p50_estimate: estimated.p50,
    p75_estimate: estimated.p75,
    p90_estimate: estimated.p90,
    p95_estimate: estimated.p95,
    p99_estimate: estimated.p99,
  };
}

/** Truncated, and never -0. */
function whole(value: number): number {
  return Math.trunc(value) + 0;
}
