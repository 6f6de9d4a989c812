import type { HistogramSamples, ScalarSamples } from '../store/samples.ts';
import { isGaugeLike } from './gaugeLike.ts';
import { addRestarts, findCounterResets, findHistogramResets, removeColumnResets } from './resets.ts';
import type { SeriesHistory } from './seriesHistory.ts';

/** The increases of one column of a series since the start of the period: 0 in row 0, unless the series was created. */
export interface ColumnIncreases {
  /** By row of the window; at least 0, except for sums of histograms with negative observations. */
  readonly values: Float64Array;
  /** The value that row 0 counts from: its own, or 0 for a series that was created in the period. */
  readonly base: number;
  /** By reset row: the difference between `values` plus `base` and the value of the server, from that row on. */
  readonly offsets: readonly number[];
}

/** Finds the rows of a counter's window that follow a reset; none if it behaves like a gauge. */
export function listCounterResets(
  { timesNs, values }: ScalarSamples,
  history: SeriesHistory,
): readonly number[] {
  const decreases = findCounterResets(values);
  return isGaugeLike(decreases.length, history) ? [] : addRestarts(decreases, timesNs, history);
}

/** Finds the rows of a histogram's window that follow a reset. */
export function listHistogramResets(window: HistogramSamples, history: SeriesHistory): readonly number[] {
  return addRestarts(findHistogramResets(window), window.timesNs, history);
}

/**
 * Computes the increases of a column of a series, across resets and from its creation.
 *
 * @param canFall whether increases can be negative, as for sums of negative observations
 */
export function computeIncreases(
  column: Float64Array,
  resets: readonly number[],
  { absentNs }: SeriesHistory,
  canFall = false,
): ColumnIncreases {
  const base = absentNs === undefined ? column[0]! : 0;
  const increases = removeColumnResets(column, resets, base);
  return {
    values: canFall ? increases : clampToZero(increases),
    base,
    offsets: resets.map(row => base + (increases[row]! - column[row]!)),
  };
}

/** Returns a column with 0 in place of negative values. */
function clampToZero(column: Float64Array): Float64Array {
  const clamped = new Float64Array(column.length);
  for (let row = 0; row < column.length; row++) clamped[row] = Math.max(0, column[row]!);
  return clamped;
}
