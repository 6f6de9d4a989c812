import type { Bound } from './samples.ts';

/**
 * Fills in missing buckets, so that every sample has a cumulative count for every bound.
 *
 * Most servers always expose all bounds of a histogram; a few expose only bounds with observations. A missing bound gets the
 * smallest count that is possible, so that an observation whose bucket is unknown counts toward the next bound present.
 *
 * - `+Inf` equals the count, by definition of the format.
 * - Before a bound first appears, it equals the bound below it (0 for the lowest bound), but not less than needed to gain at
 *   most as much as the next bound above that is present in both samples.
 * - After a bound disappears, it changes as the bound below it changes, but never exceeds the next bound above it, nor its
 *   own count when it returns. After a reset (the count falls), it starts from the bound below it again.
 *
 * AIPerf treats missing bounds as 0 and ignores bounds that appear late; both look like lost observations.
 *
 * @param bounds in ascending order
 * @param counts the histogram's count, one entry per sample, all finite
 * @param columns by bound, one entry per sample, `NaN` where absent; not modified
 */
export function fillMissingBuckets(
  bounds: readonly Bound[],
  counts: Float64Array,
  columns: readonly Float64Array[],
): Float64Array[] {
  const present = columns.map((column, at) =>
    bounds[at]!.le === Infinity ? replaceMissing(column, counts) : column,
  );
  const filled: Float64Array[] = [];
  present.forEach((column, at) => {
    if (!column.includes(Number.NaN)) filled.push(column);
    else filled.push(fillBound(column, filled.at(-1), present.slice(at + 1), counts));
  });
  return filled;
}

function replaceMissing(column: Float64Array, fallback: Float64Array): Float64Array {
  return column.map((value, row) => (Number.isNaN(value) ? fallback[row]! : value));
}

/** Fills one bound. `lower` is the filled bound below it; `above` are the bounds above it, not filled yet. */
function fillBound(
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
    const min = isReset(counts, row + 1) ? 0 : filled[row + 1]! - findGain(above, counts, row);
    filled[row] = Math.max(floor(row), Math.min(min, findCeiling(above, counts, row)));
  }
  const later = findLaterValues(column, counts);
  for (let row = first + 1; row < filled.length; row++) {
    if (!Number.isNaN(filled[row]!)) continue;
    const moved = isReset(counts, row) ? 0 : filled[row - 1]! + floor(row) - floor(row - 1);
    filled[row] = Math.max(floor(row), Math.min(moved, findCeiling(above, counts, row), later[row]!));
  }
  return filled;
}

/** Reports whether the histogram was reset in this row. */
function isReset(counts: Float64Array, row: number): boolean {
  return counts[row]! < counts[row - 1]!;
}

/** Returns the increase, from this row to the next, of the next bound above that is present in both rows. */
function findGain(above: readonly Float64Array[], counts: Float64Array, row: number): number {
  const limit =
    above.find(column => !Number.isNaN(column[row]!) && !Number.isNaN(column[row + 1]!)) ?? counts;
  return limit[row + 1]! - limit[row]!;
}

/** Returns the next bound above that is present in this row: an upper limit. */
function findCeiling(above: readonly Float64Array[], counts: Float64Array, row: number): number {
  return (above.find(column => !Number.isNaN(column[row]!)) ?? counts)[row]!;
}

/** Returns, by row, the next value of the bound before a reset: an upper limit. */
function findLaterValues(column: Float64Array, counts: Float64Array): Float64Array {
  const later = new Float64Array(column.length);
  let next = Infinity;
  for (let row = column.length - 1; row >= 0; row--) {
    if (!Number.isNaN(column[row]!)) next = column[row]!;
    later[row] = next;
    if (isReset(counts, row)) next = Infinity;
  }
  return later;
}
