import type { HistogramWindow, PercentileEstimates, PercentileEstimator } from '../percentile/estimator.ts';
import { estimateLinearPercentiles } from '../percentile/linear.ts';
import { addRestarts, findHistogramResets, makeContinuous, removeResets } from '../period/resets.ts';
import type { SeriesHistory } from '../period/seriesHistory.ts';
import { type SliceFacts, SlicePositions } from '../period/sliceRates.ts';
import { mapSlices, type Slices } from '../period/timeslices.ts';

/**
 * Cumulative bucket counts by bound, in ascending order, with each bound as written by the server. Pairs are
 * used because an object would list integer keys first ("1" before "0.005").
 */
export type BucketCounts = readonly (readonly [le: string, count: number])[];

/** `p1_estimate` to `p99_estimate`: all present, or all absent if the estimator returns null. */
export type EstimateStatistics = {
  readonly [K in keyof PercentileEstimates as `${K}_estimate`]?: number;
};

/**
 * Increase of a histogram in a period, across resets and from the creation of the series. See
 * docs/decisions/0010-resets-and-increase.md.
 */
export interface HistogramIncrease extends EstimateStatistics {
  readonly count: number;
  /** Absent if the histogram has no sums, as in the statistics. */
  readonly sum?: number;
  /** Absent without observations. */
  readonly avg?: number;
  /** `count` divided by the length of the period in seconds. Rates are absent if the length is 0 or not given. */
  readonly count_rate?: number;
  /** `sum` divided by the length of the period in seconds. */
  readonly sum_rate?: number;
  readonly buckets: BucketCounts;
}

/**
 * Statistics of a histogram in a period: differences between the last sample and the reference sample, with
 * the keys of the JSON export.
 *
 * Without observations only `count` is present. If the histogram was reset in the period, `count` and `sum`
 * are net differences clamped to 0, percentiles are absent, and `resets` and `increase` are present.
 */
export interface HistogramStatistics extends EstimateStatistics {
  readonly count: number;
  readonly sum?: number;
  readonly avg?: number;
  /** Observations per second from the reference sample to the last sample; absent if their times are equal. */
  readonly count_rate?: number;
  /** `sum` per second; absent if `count_rate` is. */
  readonly sum_rate?: number;
  readonly resets?: number;
  /** Present if the histogram was created in the period, without observations. */
  readonly created_in_run?: true;
  /** Present if `resets` or `created_in_run` is. */
  readonly increase?: HistogramIncrease;
}

/** A histogram in one timeslice. */
export interface HistogramSlice extends SliceFacts {
  readonly count: number;
  /** Absent if the histogram has no sums. */
  readonly sum?: number;
  /** 0 without observations; absent if the histogram has no sums. */
  readonly avg?: number;
  /** Null if the count of any bucket decreased. */
  readonly buckets: BucketCounts | null;
  /** Observations across resets; present if `resets` is. */
  readonly increase?: SliceIncrease;
  /** Observations per second without sampling artefacts; absent in a gap. */
  readonly count_rate?: number;
}

/** The observations of a histogram in one timeslice, across resets. */
export interface SliceIncrease {
  readonly count: number;
  readonly sum?: number;
  /** Absent without observations. */
  readonly avg?: number;
  readonly buckets: BucketCounts;
}

/** The slices of a histogram. */
export interface HistogramSlices {
  readonly timeslices: readonly HistogramSlice[];
  /**
   * The slices that are not in `timeslices`, as in AIPerf, because the count or the sum falls in them. Their `count`
   * and `sum` are clamped to 0; `increase` contains their observations.
   */
  readonly resetTimeslices: readonly HistogramSlice[];
}

/** Statistics and bucket counts of a histogram; `buckets` is null if the histogram was reset in the period. */
export interface HistogramSummary {
  readonly stats: HistogramStatistics;
  readonly buckets: BucketCounts | null;
}

/**
 * Computes the statistics of a histogram.
 *
 * @param window at least one row; row 0 is the reference sample
 * @param periodSeconds the length of the period, for the rates of `increase`
 */
export function summarizeHistogram(
  window: HistogramWindow,
  estimator: PercentileEstimator,
  history: SeriesHistory = {},
  periodSeconds = 0,
): HistogramSummary {
  const { resets, continuous } = makeContinuous(window, history);
  const last = window.counts.length - 1;
  const net = subtractRows(window, 0, last);
  const increase =
    continuous === window
      ? {}
      : {
          ...(resets > 0 ? { resets } : {}),
          ...(history.absentNs === undefined ? {} : { created_in_run: true as const }),
          increase: summarizeIncrease(continuous, estimator, periodSeconds),
        };
  if (resets > 0) {
    const clamped = clampToZero(net);
    const stats = { ...clamped, ...computeAverage(clamped), ...computeRates(clamped, window), ...increase };
    return { stats, buckets: null };
  }
  const buckets = countBuckets(window, 0, last);
  if (net.count === 0) return { stats: { count: 0, ...increase }, buckets };
  const stats = {
    ...net,
    ...computeAverage(net),
    ...computeRates(net, window),
    ...computeEstimates(window, estimator),
    ...increase,
  };
  return { stats, buckets };
}

/**
 * Computes the increase of a histogram in each slice: the difference between the last samples at or before
 * its edges.
 */
export function computeHistogramSlices(
  window: HistogramWindow,
  slices: Slices,
  history: SeriesHistory = {},
): HistogramSlices {
  const resets = addRestarts(findHistogramResets(window), window.timesNs, history);
  // If a bound is negative, observations can be negative, and the sum can fall without a reset.
  const canSumFall = window.bounds.some(bound => bound.le < 0);
  const continuous = resets.length === 0 ? window : removeResets(window, resets);
  const positions = new SlicePositions(slices, window.timesNs);
  const resetCounts = positions.countResets(resets);
  const resetTimeslices: HistogramSlice[] = [];
  const timeslices = mapSlices<HistogramSlice>(slices, (startNs, endNs, index) => {
    const from = positions.rows[index]!;
    const to = positions.rows[index + 1]!;
    const { count, sum } = subtractRows(window, from, to);
    const buckets = countBuckets(window, from, to);
    const hasFallen = buckets.some(bucket => bucket[1] < 0);
    const hasReset = resetCounts[index]! > 0;
    const countRate = positions.computeRate(continuous.counts, index);
    const additions = {
      ...(hasReset
        ? { resets: resetCounts[index]!, increase: computeSliceIncrease(continuous, from, to) }
        : {}),
      ...(countRate === undefined ? { is_gap: true as const } : { count_rate: countRate }),
    };
    if (count >= 0 && (sum === undefined || sum >= 0 || canSumFall))
      return {
        startNs,
        endNs,
        count,
        ...(sum === undefined ? {} : { sum, avg: count > 0 ? sum / count : 0 }),
        buckets: hasFallen ? null : buckets,
        ...additions,
      };
    const noObservations = { count: 0, ...(sum === undefined ? {} : { sum: 0, avg: 0 }), buckets: null };
    if (hasReset) resetTimeslices.push({ startNs, endNs, ...noObservations, ...additions });
    return null;
  });
  return { timeslices, resetTimeslices };
}

function computeSliceIncrease(continuous: HistogramWindow, from: number, to: number): SliceIncrease {
  const net = subtractRows(continuous, from, to);
  return { ...net, ...computeAverage(net), buckets: countBuckets(continuous, from, to) };
}

/** The increase of a histogram from one row to another. */
interface Difference {
  /** Truncated to an integer. */
  readonly count: number;
  /** Absent if the histogram has no sums. */
  readonly sum?: number;
}

function subtractRows({ counts, sums }: HistogramWindow, from: number, to: number): Difference {
  const count = truncate(counts[to]! - counts[from]!);
  const sum = sums[to]! - sums[from]!;
  return Number.isNaN(sum) ? { count } : { count, sum };
}

function countBuckets({ bounds, cumulative }: HistogramWindow, from: number, to: number): BucketCounts {
  const counts: (readonly [string, number])[] = [];
  for (let at = 0; at < bounds.length; at++) {
    const column = cumulative[at]!;
    counts.push([bounds[at]!.text, truncate(column[to]! - column[from]!)]);
  }
  return counts;
}

function summarizeIncrease(
  window: HistogramWindow,
  estimator: PercentileEstimator,
  periodSeconds: number,
): HistogramIncrease {
  const last = window.counts.length - 1;
  const net = subtractRows(window, 0, last);
  const buckets = countBuckets(window, 0, last);
  const rates = divideBySeconds(net, periodSeconds);
  if (net.count === 0) return { ...net, ...rates, buckets };
  return { ...net, ...computeAverage(net), ...rates, buckets, ...computeEstimates(window, estimator) };
}

function clampToZero({ count, sum }: Difference): Difference {
  return { count: Math.max(count, 0), ...(sum === undefined ? {} : { sum: Math.max(sum, 0) }) };
}

function computeAverage({ count, sum }: Difference): { avg?: number } {
  return count > 0 && sum !== undefined ? { avg: sum / count } : {};
}

function computeRates(difference: Difference, { timesNs }: HistogramWindow): Rates {
  return divideBySeconds(difference, (timesNs.at(-1)! - timesNs[0]!) / 1e9);
}

type Rates = Pick<HistogramIncrease, 'count_rate' | 'sum_rate'>;

function divideBySeconds({ count, sum }: Difference, seconds: number): Rates {
  if (!(seconds > 0)) return {};
  return { count_rate: count / seconds, ...(sum === undefined ? {} : { sum_rate: sum / seconds }) };
}

function computeEstimates(window: HistogramWindow, estimator: PercentileEstimator): EstimateStatistics {
  // Other estimators use the sums.
  const hasSums = !Number.isNaN(window.sums[0]!);
  const estimates = hasSums ? estimator(window) : estimateLinearPercentiles(window);
  if (estimates === null) return {};
  return {
    p1_estimate: estimates.p1,
    p5_estimate: estimates.p5,
    p10_estimate: estimates.p10,
    p25_estimate: estimates.p25,
    p50_estimate: estimates.p50,
    p75_estimate: estimates.p75,
    p90_estimate: estimates.p90,
    p95_estimate: estimates.p95,
    p99_estimate: estimates.p99,
  };
}

/** Truncates a number to an integer, and -0 to 0. */
function truncate(value: number): number {
  return Math.trunc(value) + 0;
}
