import type { HistogramWindow } from '../percentile/estimator.ts';
import { lowerBound } from '../store/timeline.ts';
import type { SeriesHistory } from './seriesHistory.ts';

/** The increase of a histogram over a window, across resets. */
export interface Increase {
  readonly count: number;
  readonly sum: number;
  /** By bound: the number of observations <= le. */
  readonly cumulative: Float64Array;
}

/** Cached reset rows by window, because statistics, estimates and bounds all need them. */
const cachedResets = new WeakMap<HistogramWindow, readonly number[]>();

/**
 * Maximum relative decrease of a sum that is a rounding error: some servers add the sums of several processes
 * at every scrape.
 */
const SUM_ROUNDING = 1e-9;

/** Finds the reset rows of a counter: rows with a smaller value than the previous row. */
export function findCounterResets(values: Float64Array): number[] {
  const rows: number[] = [];
  for (let row = 1; row < values.length; row++) {
    if (values[row]! < values[row - 1]!) rows.push(row);
  }
  return rows;
}

/**
 * Finds the reset rows of a histogram: rows in which the count or a bucket falls. A falling sum alone is not a reset,
 * because observations can be negative. The window must not be modified afterwards. See
 * docs/decisions/0010-resets-and-increase.md.
 */
export function findHistogramResets(window: HistogramWindow): readonly number[] {
  const cached = cachedResets.get(window);
  if (cached) return cached;
  // Read each column in memory order. A reset usually appears in several columns.
  const rows = new Set<number>();
  addFalls(window.counts, rows);
  for (const column of window.cumulative) addFalls(column, rows);
  const resets = [...rows].sort((a, b) => a - b);
  cachedResets.set(window, resets);
  return resets;
}

/** Adds the rows that follow a restart of the server, in which a value need not fall, to the reset rows. */
export function addRestarts(
  resets: readonly number[],
  timesNs: Float64Array,
  { restartsNs = [] }: SeriesHistory,
): readonly number[] {
  const rows = restartsNs.map(timeNs => lowerBound(timesNs, timeNs));
  const inside = rows.filter(row => row > 0 && row < timesNs.length);
  return inside.length === 0 ? resets : [...new Set([...resets, ...inside])].sort((a, b) => a - b);
}

/** Reports whether a sum fell from one row to the next by more than its rounding error. */
export function hasSumFallen(previous: number, sum: number): boolean {
  return previous - sum > Math.abs(previous) * SUM_ROUNDING;
}

/**
 * Computes the increase of a counter from the first row to the last. After a reset, the whole new value is added, as in
 * Prometheus' increase() without extrapolation.
 */
export function computeIncrease(values: Float64Array, resets: readonly number[]): number {
  if (values.length === 0) return 0;
  // One difference instead of a sum of differences: without resets, the result exactly equals the exported total.
  let total = values[values.length - 1]! - values[0]!;
  for (const row of resets) total += values[row - 1]!;
  return total;
}

/** Computes the increase of a histogram from the first row to the last, across resets. */
export function computeHistogramIncrease(window: HistogramWindow): Increase {
  const resets = findHistogramResets(window);
  return {
    count: computeIncrease(window.counts, resets),
    sum: computeIncrease(window.sums, resets),
    cumulative: Float64Array.from(window.cumulative, column => computeIncrease(column, resets)),
  };
}

/**
 * Returns the window without resets and from the creation of the histogram, which `increase` is computed from, and the
 * number of resets. Returns the same window if there is nothing to change.
 */
export function makeContinuous(
  window: HistogramWindow,
  history: SeriesHistory,
): { resets: number; continuous: HistogramWindow } {
  const resets = addRestarts(findHistogramResets(window), window.timesNs, history);
  const withoutResets = resets.length === 0 ? window : removeResets(window, resets);
  const { absentNs } = history;
  const continuous =
    absentNs === undefined ? withoutResets : prependEmptyRows(withoutResets, Float64Array.of(absentNs));
  return { resets: resets.length, continuous };
}

/** Returns the window as it would be without resets: values after a reset continue from the row before the reset. */
export function removeResets(window: HistogramWindow, resets: readonly number[]): HistogramWindow {
  const remove = (column: Float64Array): Float64Array => removeColumnResets(column, resets);
  return {
    ...window,
    sums: remove(window.sums),
    counts: remove(window.counts),
    cumulative: window.cumulative.map(remove),
  };
}

/** Returns the window after rows in which the histogram is empty, for a histogram that was created with 0. */
export function prependEmptyRows(window: HistogramWindow, timesNs: Float64Array): HistogramWindow {
  if (timesNs.length === 0) return window;
  const zeros = new Float64Array(timesNs.length);
  const prependZeros = (column: Float64Array): Float64Array => concatenate(zeros, column);
  return {
    ...window,
    timesNs: concatenate(timesNs, window.timesNs),
    sums: prependZeros(window.sums),
    counts: prependZeros(window.counts),
    cumulative: window.cumulative.map(prependZeros),
  };
}

/** Returns a column with the values of two columns. */
export function concatenate(first: Float64Array, second: Float64Array): Float64Array {
  const column = new Float64Array(first.length + second.length);
  column.set(first);
  column.set(second, first.length);
  return column;
}

/**
 * Returns a column without resets: values after a reset continue from the row before the reset.
 *
 * @param start value that the column counts from. Increases since it are exact, even if the values exceed 2^53.
 */
export function removeColumnResets(column: Float64Array, resets: readonly number[], start = 0): Float64Array {
  if (resets.length === 0 && start === 0) return column;
  const adjusted = new Float64Array(column.length);
  for (let row = 0; row < adjusted.length; row++) adjusted[row] = column[row]! - start;
  resets.forEach((row, at) => {
    const base = adjusted[row - 1]!;
    const end = resets[at + 1] ?? column.length;
    for (let next = row; next < end; next++) adjusted[next] = column[next]! + base;
  });
  return adjusted;
}

function addFalls(column: Float64Array, rows: Set<number>): void {
  for (let row = 1; row < column.length; row += 1) if (column[row]! < column[row - 1]!) rows.add(row);
}
