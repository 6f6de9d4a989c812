import { isGaugeLike } from '../period/gaugeLike.ts';
import { addRestarts, computeIncrease, findCounterResets, removeColumnResets } from '../period/resets.ts';
import type { SeriesHistory } from '../period/seriesHistory.ts';
import { type SliceFacts, SlicePositions } from '../period/sliceRates.ts';
import { mapSlices, type Slices } from '../period/timeslices.ts';
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
  /** Present if the series was created in the period, with the value 0. */
  readonly created_in_run?: true;
  /** Total increase, across resets and from the creation of the series; present if `resets` or `created_in_run` is. */
  readonly increase?: number;
  /** `increase` divided by the length of the period in seconds; present if `increase` and the length are. */
  readonly increase_rate?: number;
  /** Number of decreases of a counter that behaves like a gauge, so that they are not resets; absent without. */
  readonly decreases?: number;
}

/** A counter in one timeslice. */
export interface CounterSlice extends SliceFacts {
  readonly total: number;
  readonly rate: number;
  /** Increase across resets; present if `resets` is. */
  readonly increase?: number;
  /** Increase per second without sampling artefacts; absent in a gap, and if it equals `rate`. */
  readonly increase_rate?: number;
}

/**
 * Computes the statistics of a counter.
 *
 * @param samples at least one row; row 0 is the reference sample
 * @param slices the counter's timeslices, if any
 * @param periodSeconds the length of the period, for `increase_rate`
 */
export function computeCounterStatistics(
  { timesNs, values }: ScalarSamples,
  slices: readonly CounterSlice[] = [],
  history: SeriesHistory = {},
  periodSeconds?: number,
): CounterStatistics {
  const total = Math.max(values.at(-1)! - values[0]!, 0);
  const seconds = (timesNs.at(-1)! - timesNs[0]!) / 1e9;
  return {
    total,
    rate: divideBySeconds(total, seconds),
    ...computeRateStatistics(slices),
    ...computeIncreaseStatistics({ timesNs, values }, history, periodSeconds),
  };
}

/**
 * Computes the increase of a counter in each slice: the difference between the last samples at or before its
 * edges. Before its first sample, a counter is assumed to have the value of that sample. For `increase_rate`, the
 * counter is interpolated at the edges.
 */
export function computeCounterSlices(
  { timesNs, values }: ScalarSamples,
  slices: Slices,
  history: SeriesHistory = {},
): CounterSlice[] {
  const decreases = findCounterResets(values);
  const resets = addRestarts(decreases, timesNs, history);
  // The decreases of a counter that behaves like a gauge are not resets, so its increase is unknown.
  const isIncreaseKnown = !isGaugeLike(decreases.length, history);
  const positions = new SlicePositions(slices, timesNs);
  const continuous = removeColumnResets(values, resets, values[0]);
  const resetCounts = positions.countResets(resets);
  return mapSlices<CounterSlice>(slices, (startNs, endNs, index) => {
    const from = positions.rows[index]!;
    const to = positions.rows[index + 1]!;
    const total = Math.max(values[to]! - values[from]!, 0);
    const rate = total / ((endNs - startNs) / 1e9);
    const increaseRate = positions.computeRate(continuous, index);
    const hasRate = increaseRate !== undefined && increaseRate !== rate && isIncreaseKnown;
    const hasReset = resetCounts[index]! > 0 && isIncreaseKnown;
    return {
      startNs,
      endNs,
      total,
      rate,
      ...(hasRate ? { increase_rate: increaseRate } : {}),
      ...(hasReset ? { resets: resetCounts[index]!, increase: continuous[to]! - continuous[from]! } : {}),
      ...(increaseRate === undefined ? { is_gap: true } : {}),
    };
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

function computeIncreaseStatistics(
  { timesNs, values }: ScalarSamples,
  history: SeriesHistory,
  periodSeconds: number | undefined,
): Partial<CounterStatistics> {
  const decreases = findCounterResets(values);
  if (isGaugeLike(decreases.length, history)) return { decreases: decreases.length };
  const resets = addRestarts(decreases, timesNs, history);
  const isCreated = history.absentNs !== undefined;
  if (resets.length === 0 && !isCreated) return {};
  const increase = Math.max(computeIncrease(values, resets) + (isCreated ? values[0]! : 0), 0);
  return {
    ...(resets.length > 0 ? { resets: resets.length } : {}),
    ...(isCreated ? { created_in_run: true } : {}),
    increase,
    ...(periodSeconds === undefined ? {} : { increase_rate: divideBySeconds(increase, periodSeconds) }),
  };
}

function divideBySeconds(value: number, seconds: number): number {
  return seconds > 0 ? value / seconds : 0;
}
