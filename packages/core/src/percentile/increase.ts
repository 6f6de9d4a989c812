import type { HistogramWindow } from './estimator.ts';

/** What a histogram counted in a window: the increase over all of it, across counter resets. */
export interface Increase {
  readonly count: number;
  readonly sum: number;
  /** By bound: how many observations <= le there were. */
  readonly cumulative: Float64Array;
}

/**
 * The rows at which the histogram began again from 0: its count fell, or that of one of its buckets. A falling sum
 * alone is no reset, since observations may be negative.
 */
export function resetRows(window: HistogramWindow): number[] {
  const rows: number[] = [];
  for (let row = 1; row < window.counts.length; row += 1) {
    if (fell(window.counts, row) || window.cumulative.some(column => fell(column, row))) rows.push(row);
  }
  return rows;
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

function fell(column: Float64Array, row: number): boolean {
  return column[row]! < column[row - 1]!;
}
