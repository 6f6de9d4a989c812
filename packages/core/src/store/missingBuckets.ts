import type { Bound } from './samples.ts';

/**
 * The cumulative buckets of a histogram with a value for every bound in every sample.
 *
 * Servers show all bounds of a histogram at all times, or, rarely, only those that have observations. Where a
 * sample lacks a bound, nothing is invented: the bound takes the least value it can have had, so that an
 * observation of which nobody said where it fell counts under the next bound that is there.
 *
 * - `+Inf` is the count, by definition of the format.
 * - Before a bound first appeared it is its lower neighbour, below which it cannot be (0 when there is none), but
 *   not so little that it would then gain more than the next bound above it that is in both samples.
 * - After it vanished it moves as its lower neighbour moves, but not over the next bound above it, nor over what
 *   it is when it returns; when the count falls (a restart) it begins at its lower neighbour again.
 *
 * AIPerf takes 0 for a missing bound and ignores a bound that comes late; both look like lost observations.
 *
 * @param bounds ascending
 * @param counts the histogram's count, one entry a sample, all finite
 * @param columns by bound, one entry a sample, `NaN` where absent; not changed
 */
export function filledBuckets(
  bounds: readonly Bound[],
  counts: Float64Array,
  columns: readonly Float64Array[],
): Float64Array[] {
  const known = columns.map((column, at) => (bounds[at]!.le === Infinity ? orElse(column, counts) : column));
  const filled: Float64Array[] = [];
  known.forEach((column, at) => {
    if (!column.includes(Number.NaN)) filled.push(column);
    else filled.push(filledBound(column, filled.at(-1), known.slice(at + 1), counts));
  });
  return filled;
}

function orElse(column: Float64Array, other: Float64Array): Float64Array {
  return column.map((value, row) => (Number.isNaN(value) ? other[row]! : value));
}

/** One bound; `lower` is already whole, `above` are the bounds above as they are known. */
function filledBound(
  column: Float64Array,
  lower: Float64Array | undefined,
  above: readonly Float64Array[],
  counts: Float64Array,
): Float64Array {
  const first = column.findIndex(value => !Number.isNaN(value));
  if (first < 0) return lower ?? new Float64Array(column.length);
  const filled = column.slice();
  const floor = (row: number): number => lower?.[row] ?? 0;
  for (let row = first - 1; row >= 0; row--) {
    const least = fell(counts, row + 1) ? 0 : filled[row + 1]! - gain(above, counts, row);
    filled[row] = Math.max(floor(row), Math.min(least, ceiling(above, counts, row)));
  }
  const later = laterValues(column, counts);
  for (let row = first + 1; row < filled.length; row++) {
    if (!Number.isNaN(filled[row]!)) continue;
    const moved = fell(counts, row) ? 0 : filled[row - 1]! + floor(row) - floor(row - 1);
    filled[row] = Math.max(floor(row), Math.min(moved, ceiling(above, counts, row), later[row]!));
  }
  return filled;
}

/** Whether the histogram began again in this row. */
function fell(counts: Float64Array, row: number): boolean {
  return counts[row]! < counts[row - 1]!;
}

/** What the next bound above it that is in both rows gained from this row to the next. */
function gain(above: readonly Float64Array[], counts: Float64Array, row: number): number {
  const limit =
    above.find(column => !Number.isNaN(column[row]!) && !Number.isNaN(column[row + 1]!)) ?? counts;
  return limit[row + 1]! - limit[row]!;
}

/** The next bound above it that is in this row: it cannot be over that. */
function ceiling(above: readonly Float64Array[], counts: Float64Array, row: number): number {
  return (above.find(column => !Number.isNaN(column[row]!)) ?? counts)[row]!;
}

/** By row: what the bound is when it is next seen, before any restart. It cannot have been over that. */
function laterValues(column: Float64Array, counts: Float64Array): Float64Array {
  const later = new Float64Array(column.length);
  let next = Infinity;
  for (let row = column.length - 1; row >= 0; row--) {
    if (!Number.isNaN(column[row]!)) next = column[row]!;
    later[row] = next;
    if (fell(counts, row)) next = Infinity;
  }
  return later;
}
