import type { Estimate } from '../compare/noise/estimate.ts';
import { mean, sum } from '../math.ts';

/** The quantile of the normal distribution above which a correlation is significant at 5%, one-sided. */
const SIGNIFICANT = 1.645;
/** The maximum correlation that is corrected for. */
const MAX_CORRELATION = 0.9;

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
  const sorted = series.map(measureCorrelation).sort((a, b) => a - b);
  const middle = sorted[Math.floor((sorted.length - 1) / 2)]!;
  const runs = series.reduce((least, { length }) => Math.min(least, length), Number.POSITIVE_INFINITY);
  return limit(middle, runs * Math.min(MAX_METRICS, series.length));
}

/** Returns a correlation, or 0 if it is not significant in this number of independent values. */
function limit(correlation: number, values: number): number {
  return correlation * Math.sqrt(values) < SIGNIFICANT ? 0 : Math.min(MAX_CORRELATION, correlation);
}

/** Returns the lag-1 autocorrelation, corrected for its bias in short series (Marriott and Pope, 1954). */
function measureCorrelation(values: readonly number[]): number {
  const n = values.length;
  const average = mean(values);
  const deviations = values.map(value => value - average);
  const variance = sum(deviations.map(value => value ** 2));
  if (variance === 0) return 0;
  const products = sum(deviations.slice(1).map((value, i) => value * deviations[i]!));
  return ((n * products) / variance + 1) / Math.max(1, n - 3);
}

/**
 * Widens the error of a mean for correlated runs. The effective number of runs of an AR(1) process is
 * n (1 - r) / (1 + r) (Bayley and Hammersley, 1946). It is at least 2.
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
