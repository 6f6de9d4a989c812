import type { HistogramSamples } from '../store/samples.ts';

/**
 * What a percentile is estimated from: the samples of one histogram over one period.
 *
 * Row 0 is the reference (what the histogram said before the period), rows 1.. are the period's samples; all
 * values are raw and cumulative. What happened in the period is the difference to row 0. A window without a
 * second row holds no observations. Callers of the statistics pass windows without a counter reset; an estimator
 * called directly must cope with one.
 */
export type HistogramWindow = HistogramSamples;

/** The percentiles that are estimated, by the names under which they are exported; in the histogram's unit. */
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

/** Estimates the percentiles of the observations in a window; null when it cannot say (no observations, say). */
export type PercentileEstimator = (window: HistogramWindow) => PercentileEstimates | null;
