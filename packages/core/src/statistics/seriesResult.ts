import type { EstimateWarning, PercentileBounds } from '../percentile/percentileBounds.ts';
import type { WindowSummary } from '../period/window.ts';
import type { CounterSlice, CounterStatistics } from './counter.ts';
import type { GaugeSlice, GaugeStatistics } from './gauge.ts';
import type { BucketCounts, HistogramSlice, HistogramStatistics } from './histogram.ts';
import type { QuantileValues, SummaryStatistics } from './summary.ts';

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
