import type { Estimate } from '../compare/noise/estimate.ts';
import { sum } from '../math.ts';
import { listSegmentMeans } from './segmentMeans.ts';

/** The quantile of the normal distribution above which a correlation is significant at 5%, one-sided. */
const SIGNIFICANT = 1.645;
/** The maximum correlation that is corrected for. */
const MAX_CORRELATION = 0.9;

/** A series of runs, and the indices where a new segment starts. */
export interface Segmented {
  readonly values: readonly number[];
  readonly starts: readonly number[];
}

/** The number of independent metrics that the metrics of a trend count as at most, because many of them change together. */
const MAX_METRICS = 4;
/** The minimum number of metrics for a correlation that they have in common. */
const MIN_METRICS = 3;

/**
 * Estimates the correlation of neighboring runs that metrics without a change have in common: the median over the metrics.
 * Returns 0 if it is not significant, or with fewer than three metrics.
 */
export function estimateCommonCorrelation(series: readonly (readonly number[])[]): number {
  if (series.length < MIN_METRICS) return 0;
  const sorted = series.map(values => measureCorrelation({ values, starts: [] })).sort((a, b) => a - b);
  const middle = sorted[Math.floor((sorted.length - 1) / 2)]!;
  const runs = series.reduce((least, { length }) => Math.min(least, length), Number.POSITIVE_INFINITY);
  return limit(middle, runs * Math.min(MAX_METRICS, series.length));
}

/** The minimum number of runs to estimate a correlation from one metric. With fewer, its error is larger than the correlation. */
const MIN_RUNS = 30;

/**
 * Estimates the correlation of neighboring runs in one metric. Returns 0 if it is not significant, because a correction that
 * noise causes would hide changes, and with fewer than 30 runs.
 */
export function estimateRunCorrelation(series: Segmented): number {
  const { length } = series.values;
  return length < MIN_RUNS ? 0 : limit(measureCorrelation(series), length);
}

/** Returns a correlation, or 0 if it is not significant in this number of independent values. */
function limit(correlation: number, values: number): number {
  return correlation * Math.sqrt(values) < SIGNIFICANT ? 0 : Math.min(MAX_CORRELATION, correlation);
}

/**
 * Returns the lag-1 autocorrelation of the deviations from the means of segments, corrected for its bias in short series
 * (Marriott and Pope, 1954).
 */
function measureCorrelation({ values, starts }: Segmented): number {
  const n = values.length;
  const means = listSegmentMeans(values, starts);
  const deviations = values.map((value, i) => value - means[i]!);
  const variance = sum(deviations.map(value => value ** 2));
  if (variance === 0) return 0;
  const products = sum(deviations.slice(1).map((value, i) => value * deviations[i]!));
  const segments = starts.length + 1;
  return ((n * products) / variance + segments) / Math.max(1, n - 3 * segments);
}

/**
 * Widens the error of a mean for correlated runs. The effective number of runs is that of an AR(1) process,
 * n (1 - r) / (1 + r) (Bayley and Hammersley, 1946), but at least 2.
 */
export function widenEstimate(estimate: Estimate, correlation: number): Estimate {
  if (correlation <= 0) return estimate;
  const independent = Math.max(2, (estimate.values * (1 - correlation)) / (1 + correlation));
  return {
    ...estimate,
    independent,
    degrees: independent - 1,
    error: estimate.deviation / Math.sqrt(independent),
  };
}
