import type { HistogramSeries, ScalarSeries, Series, SummarySeries } from '../layout/layout.ts';
import { hasNegativeObservations } from '../percentile/bucketEdges.ts';
import type { PercentileEstimator } from '../percentile/estimator.ts';
import {
  computePercentileBounds,
  type EstimateWarning,
  findEstimateWarning,
  type PercentileBounds,
} from '../percentile/percentileBounds.ts';
import { concatenate, makeContinuous, prependEmptyRows } from '../period/resets.ts';
import type { SeriesHistory } from '../period/seriesHistory.ts';
import {
  cutFixedSlices,
  cutIntervalSlices,
  type Slices,
  shouldSlicePerInterval,
} from '../period/timeslices.ts';
import type { Period } from '../period/window.ts';
import {
  readHistogramWindow,
  readScalarWindow,
  readSummaryWindow,
  summarizeWindow,
  type Window,
  type WindowSummary,
} from '../period/window.ts';
import type { EndpointStore } from '../store/endpointStore.ts';
import type { HistogramSamples, ScalarSamples } from '../store/samples.ts';
import { lowerBound } from '../store/timeline.ts';
import {
  type CounterSlice,
  type CounterStatistics,
  computeCounterSlices,
  computeCounterStatistics,
} from './counter.ts';
import {
  computeGaugeSlices,
  computeGaugeStatistics,
  type GaugeSlice,
  type GaugeStatistics,
} from './gauge.ts';
import {
  type BucketCounts,
  computeHistogramSlices,
  type HistogramSlice,
  type HistogramStatistics,
  summarizeHistogram,
} from './histogram.ts';
import {
  computeSummaryStatistics,
  type QuantileValues,
  readLastQuantiles,
  type SummaryStatistics,
} from './summary.ts';

/** Options of `computeSeriesStatistics`. */
export interface StatisticsOptions {
  /** The period of the endpoint, from `resolveEndpointPeriod`; both ends are included. */
  readonly period: Period;
  /** Length of a timeslice in ns. If absent, there are no timeslices and no `rate_*` fields. */
  readonly sliceNs?: number;
  /**
   * Minimum length of a partial last timeslice in ns (default 0). A shorter remainder is added to the slice
   * before it. If it is set to the scrape interval, the few ms before the closing scrape do not become a
   * separate slice.
   */
  readonly minPartialNs?: number;
  /** Estimator for histogram percentiles. */
  readonly estimator: PercentileEstimator;
  /** Restarts of the server, and the creation of the series. Without it, only decreases are evidence of a reset. */
  readonly history?: SeriesHistory;
}

/** Statistics of a gauge, or of a metric of unknown type, which is treated as a gauge. */
export interface GaugeResult {
  readonly type: 'gauge' | 'unknown';
  readonly stats: GaugeStatistics;
  readonly timeslices?: readonly GaugeSlice[];
  readonly window: WindowSummary;
}

/** Statistics of a counter. */
export interface CounterResult {
  readonly type: 'counter';
  readonly stats: CounterStatistics;
  readonly timeslices?: readonly CounterSlice[];
  readonly window: WindowSummary;
}

/** Warnings by percentile; percentiles with reliable estimates are absent. */
export type PercentileWarnings = Readonly<Partial<Record<keyof PercentileBounds, EstimateWarning>>>;

/** Statistics of a histogram. */
export interface HistogramResult {
  readonly type: 'histogram';
  readonly stats: HistogramStatistics;
  /** Null if the histogram was reset in the period. */
  readonly buckets: BucketCounts | null;
  /**
   * Guaranteed bounds of each percentile; they apply to the percentiles in `increase` if it is present. Absent if
   * there are negative observations.
   */
  readonly percentileBounds?: PercentileBounds;
  /** Unreliable percentile estimates, with the reason. */
  readonly percentileWarnings?: PercentileWarnings;
  readonly timeslices?: readonly HistogramSlice[];
  /** Slices with a reset that `timeslices` does not contain; absent if there are none. */
  readonly resetTimeslices?: readonly HistogramSlice[];
  readonly window: WindowSummary;
}

/** Statistics of a summary. */
export interface SummaryResult {
  readonly type: 'summary';
  readonly stats: SummaryStatistics;
  readonly quantiles: QuantileValues;
  readonly window: WindowSummary;
}

/**
 * Statistics of one series in one period, with the keys of the JSON export. Times are in ns since the
 * timeline's origin. `timeslices` is present if `sliceNs` is set and the series has at least one slice.
 */
export type SeriesStatistics = GaugeResult | CounterResult | HistogramResult | SummaryResult;

/**
 * Computes the statistics of one series; returns null if the series has no sample in the period. Reads only
 * the frames of the period and the reference sample, except for a histogram with missing bounds, for which
 * all frames are read. Throws a RangeError if the options are invalid.
 */
export function computeSeriesStatistics(
  store: EndpointStore,
  series: Series,
  options: StatisticsOptions,
): SeriesStatistics | null {
  checkOptions(options);
  if (series.kind === 'histogram') return computeHistogramResult(store, series, options);
  if (series.kind === 'summary') return computeSummaryResult(store, series, options);
  return series.family.type === 'counter'
    ? computeCounterResult(store, series, options)
    : computeGaugeResult(store, series, options);
}

function computeGaugeResult(
  store: EndpointStore,
  series: ScalarSeries,
  options: StatisticsOptions,
): GaugeResult | null {
  const window = readScalarWindow(store, series, options.period);
  if (window === null) return null;
  const samples = dropReference(window);
  const slices = samples.values.length > 1 ? cutSlices(store, window, samples.timesNs, options) : null;
  return {
    type: series.family.type === 'gauge' ? 'gauge' : 'unknown',
    stats: computeGaugeStatistics(samples.values),
    ...omitEmptyTimeslices(slices && computeGaugeSlices(samples, slices)),
    window: summarizeWindow(window),
  };
}

function computeCounterResult(
  store: EndpointStore,
  series: ScalarSeries,
  options: StatisticsOptions,
): CounterResult | null {
  const window = readScalarWindow(store, series, options.period);
  if (window === null) return null;
  const { samples } = window;
  const { period, history } = options;
  const sliced = prependZeros(samples, listAbsentTimes(store, period, history));
  const slices = sliced.values.length > 1 ? cutSlices(store, window, sliced.timesNs, options) : null;
  const timeslices = slices && computeCounterSlices(sliced, slices, history);
  return {
    type: 'counter',
    stats: computeCounterStatistics(samples, timeslices ?? [], history, computeSeconds(store, period)),
    ...omitEmptyTimeslices(timeslices),
    window: summarizeWindow(window),
  };
}

function computeHistogramResult(
  store: EndpointStore,
  series: HistogramSeries,
  options: StatisticsOptions,
): HistogramResult | null {
  const window = readHistogramWindow(store, series, options.period);
  if (window === null) return null;
  const { samples } = window;
  const { period, estimator, history } = options;
  const { stats, buckets } = summarizeHistogram(samples, estimator, history, computeSeconds(store, period));
  const created = prependEmptyRows(samples, listAbsentTimes(store, period, history));
  const isActive = stats.count > 0 || stats.increase !== undefined;
  const slices = isActive ? cutSlices(store, window, created.timesNs, options) : null;
  const sliced = slices && computeHistogramSlices(created, slices, history);
  return {
    type: 'histogram',
    stats,
    buckets,
    ...assessEstimates(makeContinuous(samples, history ?? {}).continuous, stats),
    ...omitEmptyTimeslices(sliced?.timeslices ?? null),
    ...(sliced && sliced.resetTimeslices.length > 0 ? { resetTimeslices: sliced.resetTimeslices } : {}),
    window: summarizeWindow(window),
  };
}

/** Computes guaranteed bounds of the percentiles, and warnings about unreliable estimates; empty without estimates. */
function assessEstimates(
  samples: HistogramSamples,
  stats: HistogramStatistics,
): Pick<HistogramResult, 'percentileBounds' | 'percentileWarnings'> {
  const estimates = stats.increase ?? stats;
  if (estimates.p50_estimate === undefined || hasNegativeObservations(samples)) return {};
  const percentileBounds = computePercentileBounds(samples);
  if (percentileBounds === null) return {};
  const warnings = Object.entries(percentileBounds).flatMap(([percentile, interval]) => {
    const estimate = estimates[`${percentile as keyof PercentileBounds}_estimate`];
    const warning = estimate === undefined ? null : findEstimateWarning(estimate, interval, samples);
    return warning === null ? [] : [[percentile, warning] as const];
  });
  return warnings.length === 0
    ? { percentileBounds }
    : { percentileBounds, percentileWarnings: Object.fromEntries(warnings) as PercentileWarnings };
}

function computeSummaryResult(
  store: EndpointStore,
  series: SummarySeries,
  { period, history }: StatisticsOptions,
): SummaryResult | null {
  const window = readSummaryWindow(store, series, period);
  if (window === null) return null;
  const { samples } = window;
  return {
    type: 'summary',
    stats: computeSummaryStatistics(samples, history),
    quantiles: readLastQuantiles(samples),
    window: summarizeWindow(window),
  };
}

function cutSlices(
  store: EndpointStore,
  window: Window<{ readonly timesNs: Float64Array }>,
  timesNs: Float64Array,
  { period, sliceNs, minPartialNs }: StatisticsOptions,
): Slices | null {
  if (sliceNs === undefined) return null;
  if (period.isSlicedBySeries) return cutFixedSlices(toSeriesPeriod(window), sliceNs);
  if (shouldSlicePerInterval(store, period, sliceNs)) return cutIntervalSlices(period, timesNs);
  return cutFixedSlices(period, sliceNs, minPartialNs);
}

/** Returns the time from the first to the last sample of a series in the period. For a single sample, it is 1 ns long. */
function toSeriesPeriod(window: Window<{ readonly timesNs: Float64Array }>): Period {
  const { firstNs, lastNs } = summarizeWindow(window);
  return { startNs: firstNs, endNs: Math.max(lastNs, firstNs + 1) };
}

/**
 * Lists the times of the scrapes without a series that was created in the period: from the last scrape before the
 * period to the last scrape without the series. The series was 0 at these times. Empty for other series.
 */
function listAbsentTimes(
  store: EndpointStore,
  { startNs, isSlicedBySeries }: Period,
  { absentNs }: SeriesHistory = {},
): Float64Array {
  if (absentNs === undefined || isSlicedBySeries) return new Float64Array(0);
  const { offsetsNs } = store.timeline();
  const baseline = Math.max(0, lowerBound(offsetsNs, startNs) - 1);
  return concatenate(
    offsetsNs.subarray(baseline, lowerBound(offsetsNs, absentNs)),
    Float64Array.of(absentNs),
  );
}

function prependZeros(samples: ScalarSamples, absentTimesNs: Float64Array): ScalarSamples {
  if (absentTimesNs.length === 0) return samples;
  const { timesNs, values } = samples;
  return {
    timesNs: concatenate(absentTimesNs, timesNs),
    values: concatenate(new Float64Array(absentTimesNs.length), values),
  };
}

/** Returns the length of a period in seconds. It ends with the last scrape if the endpoint stopped responding. */
function computeSeconds(store: EndpointStore, { startNs, endNs }: Period): number {
  const lastNs = store.timeline().offsetsNs.at(-1) ?? endNs;
  return Math.max(0, Math.min(endNs, lastNs) - startNs) / 1e9;
}

function omitEmptyTimeslices<T>(slices: readonly T[] | null): { timeslices?: readonly T[] } {
  return slices === null || slices.length === 0 ? {} : { timeslices: slices };
}

function dropReference({ samples, hasReference }: Window<ScalarSamples>): ScalarSamples {
  if (!hasReference) return samples;
  return { timesNs: samples.timesNs.subarray(1), values: samples.values.subarray(1) };
}

function checkOptions({ period, sliceNs, minPartialNs = 0 }: StatisticsOptions): void {
  const { startNs, endNs } = period;
  if (!(startNs <= endNs)) {
    throw new RangeError(`period ${startNs} to ${endNs} ns ends before it starts`);
  }
  if (sliceNs !== undefined && !(Number.isSafeInteger(sliceNs) && sliceNs > 0)) {
    throw new RangeError(`sliceNs is ${sliceNs}; expected an integer greater than 0`);
  }
  if (!(minPartialNs >= 0)) {
    throw new RangeError(`minPartialNs is ${minPartialNs}; expected a number of at least 0`);
  }
}
