import type { HistogramSeries, ScalarSeries, Series, SummarySeries } from '../layout/layout.ts';
import type { PercentileEstimator } from '../percentile/estimator.ts';
import {
  doubtOf,
  type EstimateDoubt,
  type PercentileBounds,
  percentileBounds as percentileBoundsOf,
} from '../percentile/percentileBounds.ts';
import type { Period } from '../period/period.ts';
import { fixedSlices, intervalSlices, type Slices, slicesPerInterval } from '../period/timeslices.ts';
import {
  histogramWindow,
  scalarWindow,
  summaryWindow,
  type Window,
  type WindowSummary,
  windowSummary,
} from '../period/window.ts';
import type { EndpointStore } from '../store/endpointStore.ts';
import type { HistogramSamples, ScalarSamples } from '../store/samples.ts';
import { type CounterSlice, type CounterStatistics, counterSlices, counterStatistics } from './counter.ts';
import { type GaugeSlice, type GaugeStatistics, gaugeSlices, gaugeStatistics } from './gauge.ts';
import {
  type BucketCounts,
  type HistogramSlice,
  type HistogramStatistics,
  histogramSlices,
  histogramSummary,
} from './histogram.ts';
import { lastQuantiles, type QuantileValues, type SummaryStatistics, summaryStatistics } from './summary.ts';

/** What statistics speak of. */
export interface StatisticsOptions {
  /** Both ends included; see `effectivePeriod` for how a final scrape closes it. */
  readonly period: Period;
  /** Length of a timeslice in ns; without it there are no timeslices and no `rate_*`. */
  readonly sliceNs?: number;
  /**
   * A last timeslice that the period cuts shorter than this (ns) is joined to the complete one before it; 0 if not given.
   * With the interval between scrapes, the few ms until the closing scrape are no slice of their own.
   */
  readonly shortestPartialNs?: number;
  /** How percentiles of histograms are estimated. */
  readonly estimator: PercentileEstimator;
}

/** A gauge, or an unknown with a gauge's statistics (DESIGN decision 7). */
export interface GaugeResult {
  readonly type: 'gauge' | 'unknown';
  readonly stats: GaugeStatistics;
  readonly timeslices?: readonly GaugeSlice[];
  readonly window: WindowSummary;
}

export interface CounterResult {
  readonly type: 'counter';
  readonly stats: CounterStatistics;
  readonly timeslices?: readonly CounterSlice[];
  readonly window: WindowSummary;
}

/** By percentile, as far as there are doubts. */
export type PercentileDoubts = Readonly<Partial<Record<keyof PercentileBounds, EstimateDoubt>>>;

export interface HistogramResult {
  readonly type: 'histogram';
  readonly stats: HistogramStatistics;
  /** Null when the histogram began again in the period. */
  readonly buckets: BucketCounts | null;
  /** Between which values each estimated percentile certainly lies; with a reset those of `increase`. */
  readonly percentileBounds?: PercentileBounds;
  /** The estimates to be read with care, and why. */
  readonly percentileDoubts?: PercentileDoubts;
  readonly timeslices?: readonly HistogramSlice[];
  readonly window: WindowSummary;
}

export interface SummaryResult {
  readonly type: 'summary';
  readonly stats: SummaryStatistics;
  readonly quantiles: QuantileValues;
  readonly window: WindowSummary;
}

/**
 * The statistics of one series in one period, under the key names of the JSON export. Times are ns since the
 * timeline's origin. `timeslices` is there when it was asked for and the series has a slice to show.
 */
export type SeriesStatistics = GaugeResult | CounterResult | HistogramResult | SummaryResult;

/**
 * Computes the statistics of one series; null when it has no sample in the period, whatever it said before.
 * Reads only the frames of the period and the reference. Throws a RangeError when the options make no sense.
 */
export function seriesStatistics(
  store: EndpointStore,
  series: Series,
  options: StatisticsOptions,
): SeriesStatistics | null {
  checkOptions(options);
  if (series.kind === 'histogram') return histogramResult(store, series, options);
  if (series.kind === 'summary') return summaryResult(store, series, options);
  return series.family.type === 'counter'
    ? counterResult(store, series, options)
    : gaugeResult(store, series, options);
}

function gaugeResult(
  store: EndpointStore,
  series: ScalarSeries,
  options: StatisticsOptions,
): GaugeResult | null {
  const window = scalarWindow(store, series, options.period);
  if (window === null) return null;
  const samples = withoutReference(window);
  const slices = samples.values.length > 1 ? slicesOf(store, samples.timesNs, options) : null;
  return {
    type: series.family.type === 'gauge' ? 'gauge' : 'unknown',
    stats: gaugeStatistics(samples.values),
    ...timeslices(slices && gaugeSlices(samples, slices)),
    window: windowSummary(window),
  };
}

function counterResult(
  store: EndpointStore,
  series: ScalarSeries,
  options: StatisticsOptions,
): CounterResult | null {
  const window = scalarWindow(store, series, options.period);
  if (window === null) return null;
  const { samples } = window;
  const slices = samples.values.length > 1 ? slicesOf(store, samples.timesNs, options) : null;
  const cut = slices && counterSlices(samples, slices);
  return {
    type: 'counter',
    stats: counterStatistics(samples, cut ?? []),
    ...timeslices(cut),
    window: windowSummary(window),
  };
}

function histogramResult(
  store: EndpointStore,
  series: HistogramSeries,
  options: StatisticsOptions,
): HistogramResult | null {
  const window = histogramWindow(store, series, options.period);
  if (window === null) return null;
  const { samples } = window;
  const { stats, buckets } = histogramSummary(samples, options.estimator);
  const active = stats.count > 0 || stats.resets !== undefined;
  const slices = active ? slicesOf(store, samples.timesNs, options) : null;
  return {
    type: 'histogram',
    stats,
    buckets,
    ...certainty(samples, stats),
    ...timeslices(slices && histogramSlices(samples, slices)),
    window: windowSummary(window),
  };
}

/** What is certain of the estimated percentiles; nothing when there are none. */
function certainty(
  samples: HistogramSamples,
  stats: HistogramStatistics,
): Pick<HistogramResult, 'percentileBounds' | 'percentileDoubts'> {
  const estimates = stats.increase ?? stats;
  if (estimates.p50_estimate === undefined) return {};
  const percentileBounds = percentileBoundsOf(samples);
  if (percentileBounds === null) return {};
  const doubts = Object.entries(percentileBounds).flatMap(([percentile, interval]) => {
    const estimate = estimates[`${percentile as keyof PercentileBounds}_estimate`];
    const doubt = estimate === undefined ? null : doubtOf(estimate, interval, samples);
    return doubt === null ? [] : [[percentile, doubt] as const];
  });
  return doubts.length === 0
    ? { percentileBounds }
    : { percentileBounds, percentileDoubts: Object.fromEntries(doubts) as PercentileDoubts };
}

function summaryResult(
  store: EndpointStore,
  series: SummarySeries,
  { period }: StatisticsOptions,
): SummaryResult | null {
  const window = summaryWindow(store, series, period);
  if (window === null) return null;
  const { samples } = window;
  return {
    type: 'summary',
    stats: summaryStatistics(samples),
    quantiles: lastQuantiles(samples),
    window: windowSummary(window),
  };
}

function slicesOf(
  store: EndpointStore,
  timesNs: Float64Array,
  { period, sliceNs, shortestPartialNs }: StatisticsOptions,
): Slices | null {
  if (sliceNs === undefined) return null;
  if (slicesPerInterval(store, period, sliceNs)) return intervalSlices(period, timesNs);
  return fixedSlices(period, sliceNs, shortestPartialNs);
}

function timeslices<T>(slices: readonly T[] | null): { timeslices?: readonly T[] } {
  return slices === null || slices.length === 0 ? {} : { timeslices: slices };
}

function withoutReference({ samples, hasReference }: Window<ScalarSamples>): ScalarSamples {
  if (!hasReference) return samples;
  return { timesNs: samples.timesNs.subarray(1), values: samples.values.subarray(1) };
}

function checkOptions({ period, sliceNs, shortestPartialNs = 0 }: StatisticsOptions): void {
  const { startNs, endNs } = period;
  if (!(startNs <= endNs)) {
    throw new RangeError(
      `cannot take statistics of the period ${startNs} to ${endNs} ns: it ends before it starts`,
    );
  }
  if (sliceNs !== undefined && !(Number.isSafeInteger(sliceNs) && sliceNs > 0)) {
    throw new RangeError(`sliceNs is ${sliceNs}: it must be a whole number of ns above 0`);
  }
  if (!(shortestPartialNs >= 0)) {
    throw new RangeError(`shortestPartialNs is ${shortestPartialNs}: it must be a number of ns, 0 or more`);
  }
}
