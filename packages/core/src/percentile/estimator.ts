import type { HistogramSamples } from '../store/samples.ts';

/**
 * The input of an estimator: the samples of one histogram in one period.
 *
 * Row 0 is the reference sample, rows 1 and up are the samples of the period. All values are cumulative. A
 * window with a single row has no observations. Statistics remove resets before they call an estimator; an
 * estimator that is called directly must handle resets.
 */
export type HistogramWindow = HistogramSamples;

/** Percentiles by their exported names, in the unit of the histogram. */
export interface PercentileEstimates {
  readonly p1: number;
  readonly p5: number;
  readonly p10: number;
  readonly p25: number;
  readonly p50: number;
  readonly p75: number;
  readonly p90: number;
  readonly p95: number;
  readonly p99: number;
}

/**
 * Estimates the percentiles of the observations in a window; returns null if that is impossible, for example without
 * observations.
 */
export type PercentileEstimator = (window: HistogramWindow) => PercentileEstimates | null;
