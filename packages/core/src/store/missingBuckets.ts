import type { Bound } from './samples.ts';

/**
 * Fills in missing buckets, so that every sample has a cumulative count for every bound.
 *
 * Most servers always expose all bounds of a histogram; a few expose only bounds with observations. A missing
 * bound gets the smallest possible count, so that an observation whose bucket is unknown is counted at the
 * next higher bound that is present.
 *
 * - The count of `+Inf` equals the histogram's count, by definition of the format.
 * - Before a bound first appears, its count equals the count of the next lower bound (0 for the lowest
 *   bound). It is higher if otherwise the count would increase, from one sample to the next, by more than the
 *   count of the next higher bound that is present in both samples.
 * - After a bound disappears, its count increases as much as the count of the next lower bound, but never
 *   exceeds the count of the next higher bound, nor its own count when it reappears. After a reset (the
 *   histogram's count falls), it equals the count of the next lower bound.
 *
 * AIPerf treats missing bounds as 0 and ignores bounds that appear later; both look like lost observations.
 *
 * @param bounds in ascending order
 * @param counts the histogram's count, one entry per sample, all finite
 * @param columns the cumulative counts by bound, one entry per sample, `NaN` where absent; not modified
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

/**
 * Fills in the missing counts of one bound. `lower` is the completed column of the next lower bound; `above`
 * are the columns of higher bounds, not completed yet.
 */
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
  const laterCounts = findLaterValues(column, counts);
  for (let row = first + 1; row < filled.length; row++) {
    if (!Number.isNaN(filled[row]!)) continue;
    const estimate = isReset(counts, row) ? 0 : filled[row - 1]! + floor(row) - floor(row - 1);
    filled[row] = Math.max(
      floor(row),
      Math.min(estimate, findCeiling(above, counts, row), laterCounts[row]!),
    );
  }
  return filled;
}

/** Reports whether the histogram was reset in this row. */
function isReset(counts: Float64Array, row: number): boolean {
  return counts[row]! < counts[row - 1]!;
}

/** Returns the increase, from this row to the next, of the next higher bound that is present in both rows. */
function findGain(above: readonly Float64Array[], counts: Float64Array, row: number): number {
  const limit =
    above.find(column => !Number.isNaN(column[row]!) && !Number.isNaN(column[row + 1]!)) ?? counts;
  return limit[row + 1]! - limit[row]!;
}

/** Returns the maximum count in this row: the count of the next higher bound that is present. */
function findCeiling(above: readonly Float64Array[], counts: Float64Array, row: number): number {
  return (above.find(column => !Number.isNaN(column[row]!)) ?? counts)[row]!;
}

/** Returns the maximum count by row: the bound's next known count before a reset, or Infinity. */
function findLaterValues(column: Float64Array, counts: Float64Array): Float64Array {
  const laterCounts = new Float64Array(column.length);
  let next = Infinity;
  for (let row = column.length - 1; row >= 0; row--) {
    if (!Number.isNaN(column[row]!)) next = column[row]!;
    laterCounts[row] = next;
    if (isReset(counts, row)) next = Infinity;
  }
  return laterCounts;
}
