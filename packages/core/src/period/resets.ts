import type { HistogramWindow } from '../percentile/estimator.ts';

/** The rows at which a counter began again: those that are less than the row before. DESIGN decision 10. */
export function counterResets(values: Float64Array): number[] {
  const rows: number[] = [];
  for (let row = 1; row < values.length; row++) {
    if (values[row]! < values[row - 1]!) rows.push(row);
  }
  return rows;
}

/** The rows at which a histogram began again: its count fell, or that of a bucket, or a sum that cannot fall by itself. */
export function histogramResets(window: HistogramWindow): readonly number[] {
  return resetRows(window);
}

/**
 * What was counted from the first row to the last: after a reset, all that the new row says is new, as in
 * Prometheus' increase() without its extrapolation.
 */
export function increaseAcross(values: Float64Array, resets: readonly number[]): number {
  if (values.length === 0) return 0;
  // One difference and not a sum over all rows: without resets it is the exact net delta.
  let total = values.at(-1)! - values[0]!;
  for (const row of resets) total += values[row - 1]!;
  return total;
}

/** The same window as if the server had gone on counting: every row after a reset stands on the row before it. */
export function withoutResets(window: HistogramWindow, resets: readonly number[]): HistogramWindow {
  const lifted = (column: Float64Array): Float64Array => liftedColumn(column, resets);
  return {
    ...window,
    sums: lifted(window.sums),
    counts: lifted(window.counts),
    cumulative: window.cumulative.map(lifted),
  };
}

function liftedColumn(column: Float64Array, resets: readonly number[]): Float64Array {
  const lifted = column.slice();
  resets.forEach((row, at) => {
    const base = lifted[row - 1]!;
    const end = resets[at + 1] ?? column.length;
    for (let next = row; next < end; next++) lifted[next] = column[next]! + base;
  });
  return lifted;
}

/** What a histogram counted in a window: the increase over all of it, across counter resets. */
export interface Increase {
  readonly count: number;
  readonly sum: number;
  /** By bound: how many observations <= le there were. */
  readonly cumulative: Float64Array;
}

/** By window, since its figures, their estimates and what is certain of them all begin with this. */
const known = new WeakMap<HistogramWindow, readonly number[]>();

/** Of a sum that is put together anew at every scrape, from the parts of several processes, rounding may take such a part. */
const SUM_ROUNDING = 1e-9;

/** Whether a sum fell from one row to the next by more than rounding. */
export function sumFell(before: number, sum: number): boolean {
  return before - sum > Math.abs(before) * SUM_ROUNDING;
}

/**
 * The rows at which the histogram began again from 0: its count fell, or that of one of its buckets, or its sum where
 * nothing says that observations can be negative. A window's columns must not change afterwards.
 */
export function resetRows(window: HistogramWindow): readonly number[] {
  const before = known.get(window);
  if (before) return before;
  // Column by column, as they lie in memory; a reset shows in several of them.
  const rows = new Set<number>();
  addFalls(window.counts, rows);
  for (const column of window.cumulative) addFalls(column, rows);
  addSumFalls(window, rows);
  const resets = [...rows].sort((a, b) => a - b);
  known.set(window, resets);
  return resets;
}

/**
 * What the histogram counted from row 0 to the last row. After a reset all that the new row says is new, as in
 * Prometheus' increase() without its extrapolation.
 */
export function increaseOf(window: HistogramWindow): Increase {
  const resets = resetRows(window);
  return {
    count: increaseOfColumn(window.counts, resets),
    sum: increaseOfColumn(window.sums, resets),
    cumulative: Float64Array.from(window.cumulative, column => increaseOfColumn(column, resets)),
  };
}

function increaseOfColumn(column: Float64Array, resets: readonly number[]): number {
  if (column.length === 0) return 0;
  // One subtraction without resets, so that the figure is the same as the exported total.
  let total = column[column.length - 1]! - column[0]!;
  for (const row of resets) total += column[row - 1]!;
  return total;
}

function addFalls(column: Float64Array, rows: Set<number>): void {
  for (let row = 1; row < column.length; row += 1) if (column[row]! < column[row - 1]!) rows.add(row);
}

/**
 * A restart shows in the sum alone when more was observed since than ever before, and all of it was smaller. Observations can
 * be negative when a bound is not above 0, or a sum is not: then a sum may fall by itself.
 */
function addSumFalls({ sums, bounds }: HistogramWindow, rows: Set<number>): void {
  const lowest = bounds[0]?.le;
  if (lowest === undefined || !(lowest > 0 && lowest < Number.POSITIVE_INFINITY)) return;
  for (let row = 1; row < sums.length; row += 1) {
    if (sums[row]! >= 0 && sumFell(sums[row - 1]!, sums[row]!)) rows.add(row);
  }
}
