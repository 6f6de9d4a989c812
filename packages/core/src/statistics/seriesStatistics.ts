import type { HistogramSeries, ScalarSeries, Series, SummarySeries } from '../layout/layout.ts';
import type { PercentileEstimator } from '../percentile/estimator.ts';
import { makeContinuous, prependEmptyRows } from '../period/resets.ts';
import type { SeriesHistory } from '../period/seriesHistory.ts';
import {
  type Period,
  readHistogramWindow,
  readScalarWindow,
  readSummaryWindow,
  summarizeWindow,
  type Window,
} from '../period/window.ts';
import type { EndpointStore } from '../store/endpointStore.ts';
import type { ScalarSamples } from '../store/samples.ts';
import { listAbsentTimes, prependZeros } from './absentSeries.ts';
import { computeCounterSlices, computeCounterStatistics } from './counter.ts';
import { assessEstimates } from './estimateQuality.ts';
import { computeGaugeSlices, computeGaugeStatistics } from './gauge.ts';
import { computeHistogramSlices, summarizeHistogram } from './histogram.ts';
import type {
  CounterResult,
  GaugeResult,
  HistogramResult,
  SeriesStatistics,
  SummaryResult,
} from './seriesResult.ts';
import { cutSlices, type SliceOptions } from './seriesSlices.ts';
import { computeSummaryStatistics, readLastQuantiles } from './summary.ts';

/** Options of `computeSeriesStatistics`. */
export interface StatisticsOptions extends SliceOptions {
  /** Estimator for histogram percentiles. */
  readonly estimator: PercentileEstimator;
  /** Restarts of the server, and the creation of the series. Without it, only decreases are evidence of a reset. */
  readonly history?: SeriesHistory;
}

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
