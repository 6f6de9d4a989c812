import type { HistogramWindow } from './percentile/estimator.ts';
import { resetRows } from './percentile/increase.ts';

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
