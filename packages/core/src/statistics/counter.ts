import { computeIncrease, findCounterResets } from '../period/resets.ts';
import { findRowsAtEdges, mapSlices, type Slice, type Slices } from '../period/timeslices.ts';
import type { ScalarSamples } from '../store/samples.ts';
import { computeMean, computeStandardDeviation, findExtremes } from './descriptive.ts';

/** Statistics of a counter in a period, with the keys of the JSON export. */
export interface CounterStatistics {
  /** The last value minus the value of the reference sample, clamped to 0. */
  readonly total: number;
  /** `total` divided by the seconds between the two samples; 0 if their times are equal. */
  readonly rate: number;
  /**
   * Unweighted mean of the rates of complete timeslices; absent without complete timeslices. See
   * docs/decisions/0002-rate-statistics-need-slices.md.
   */
  readonly rate_avg?: number;
  readonly rate_min?: number;
  readonly rate_max?: number;
  readonly rate_std?: number;
  /** Number of resets; absent without a reset. See docs/decisions/0010-resets-and-increase.md. */
  readonly resets?: number;
  /** Total increase, including increases after resets; present if `resets` is. */
  readonly increase?: number;
}

/** A counter in one timeslice. */
export interface CounterSlice extends Slice {
  readonly total: number;
  readonly rate: number;
}

/**
 * Computes the statistics of a counter.
 *
 * @param samples at least one row; row 0 is the reference sample
 * @param slices the counter's timeslices, if any
 */
export function computeCounterStatistics(
  { timesNs, values }: ScalarSamples,
  slices: readonly CounterSlice[] = [],
): CounterStatistics {
  const total = Math.max(values.at(-1)! - values[0]!, 0);
  const seconds = (timesNs.at(-1)! - timesNs[0]!) / 1e9;
  return {
    total,
    rate: seconds > 0 ? total / seconds : 0,
    ...computeRateStatistics(slices),
    ...computeResetStatistics(values),
  };
}

/**
 * Computes the increase of a counter in each slice: the difference between the last samples at or before its
 * edges. Before its first sample, a counter is assumed to have the value of that sample.
 */
export function computeCounterSlices({ timesNs, values }: ScalarSamples, slices: Slices): CounterSlice[] {
  const rows = findRowsAtEdges(slices, timesNs);
  return mapSlices<CounterSlice>(slices, (startNs, endNs, index) => {
    const total = Math.max(values[rows[index + 1]!]! - values[rows[index]!]!, 0);
    return { startNs, endNs, total, rate: total / ((endNs - startNs) / 1e9) };
  });
}

function computeRateStatistics(slices: readonly CounterSlice[]): Partial<CounterStatistics> {
  // Only the last slice can be partial.
  const completeCount = slices.at(-1)?.is_complete === false ? slices.length - 1 : slices.length;
  if (completeCount === 0) return {};
  const rates = new Float64Array(completeCount);
  for (let at = 0; at < completeCount; at++) rates[at] = slices[at]!.rate;
  const { min, max } = findExtremes(rates);
  return {
    rate_avg: computeMean(rates),
    rate_min: min,
    rate_max: max,
    rate_std: computeStandardDeviation(rates),
  };
}

function computeResetStatistics(values: Float64Array): Partial<CounterStatistics> {
  const resets = findCounterResets(values);
  if (resets.length === 0) return {};
  return { resets: resets.length, increase: Math.max(computeIncrease(values, resets), 0) };
}
