import type { BucketEdges } from './bucketEdges.ts';
import type { HistogramWindow } from './estimator.ts';
import { type Intervals, IntervalsBuilder } from './intervals.ts';

/** Maximum number of passes that join intervals; afterwards, inconsistent sums are clamped to the possible range. */
const MAX_PASSES = 4;

/** Relative rounding error of a cumulative sum of many observations. */
const ROUNDING = 1e-11;

/** Returns the largest difference between sums of a window that can be caused by rounding. */
export function computeSumTolerance({ sums }: HistogramWindow): number {
  let largest = 0;
  for (let row = 0; row < sums.length; row += 1) largest = Math.max(largest, Math.abs(sums[row]!));
  return ROUNDING * largest;
}

/** The smallest and largest possible sum of the observations of each row. */
export interface SumRange {
  readonly min: Float64Array;
  readonly max: Float64Array;
}

/** Counts the intervals whose sum is impossible for their observations. */
export function countInconsistentSums({ rows, sum }: Intervals, range: SumRange, tolerance: number): number {
  let inconsistentCount = 0;
  for (let row = 0; row < rows; row += 1)
    if (compareToRange(range, row, sum[row]!, tolerance) !== 0) inconsistentCount += 1;
  return inconsistentCount;
}

/**
 * Joins each interval that has an inconsistent sum with an adjacent interval. Servers do not always take
 * count, sum and buckets at the same time: an observation may be counted in one scrape and added to the sum
 * in the next.
 *
 * @param range the range of possible sums of `intervals`
 */
export function makeSumsConsistent(
  intervals: Intervals,
  range: SumRange,
  edges: BucketEdges,
  tolerance: number,
): Intervals {
  let joined = intervals;
  let joinedRange = range;
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const joins = findJoins(joined, joinedRange, tolerance);
    if (joins === null) break;
    joined = joinRows(joined, joins);
    joinedRange = computeSumRange(joined, edges);
  }
  return clampSums(joined, joinedRange);
}

/** Computes the smallest and largest possible sum of each interval. */
export function computeSumRange(
  { rows, start, bucket, count }: Intervals,
  { lower, upper }: BucketEdges,
): SumRange {
  const min = new Float64Array(rows);
  const max = new Float64Array(rows);
  for (let row = 0; row < rows; row += 1) {
    let minSum = 0;
    let maxSum = 0;
    for (let at = start[row]!; at < start[row + 1]!; at += 1) {
      minSum += count[at]! * lower[bucket[at]!]!;
      maxSum += count[at]! * upper[bucket[at]!]!;
    }
    min[row] = minSum;
    max[row] = maxSum;
  }
  return { min, max };
}

/** Returns -1 for a sum that is too small, 1 for a sum that is too large, else 0. */
function compareToRange(range: SumRange, row: number, sum: number, tolerance: number): number {
  if (sum < range.min[row]! - tolerance) return -1;
  return sum > range.max[row]! + tolerance ? 1 : 0;
}

/** Returns 1 for each row to be joined with the next row, or null if all sums are consistent. */
function findJoins(intervals: Intervals, range: SumRange, tolerance: number): Uint8Array | null {
  const { rows, sum } = intervals;
  const joins = new Uint8Array(rows);
  let hasJoins = false;
  for (let row = 0; row < rows; row += 1) {
    const sign = compareToRange(range, row, sum[row]!, tolerance);
    if (sign === 0 || rows < 2) continue;
    hasJoins = true;
    const before = computeDeviation(range, row - 1, sum) * sign;
    const after = computeDeviation(range, row + 1, sum) * sign;
    // Join with the adjacent row that deviates most in the opposite direction.
    joins[Number.isNaN(after) || before < after ? row - 1 : row] = 1;
  }
  return hasJoins ? joins : null;
}

/**
 * Returns the position of a row's sum in its range, from -0.5 (smallest) to 0.5 (largest): 0 if only one sum
 * is possible, NaN if the row does not exist.
 */
function computeDeviation({ min, max }: SumRange, row: number, sum: Float64Array): number {
  if (row < 0 || row >= sum.length) return Number.NaN;
  const position = (sum[row]! - min[row]!) / (max[row]! - min[row]!);
  return (Number.isFinite(position) ? position : 0.5) - 0.5;
}

/** Joins each marked row with the next row. */
function joinRows(intervals: Intervals, joins: Uint8Array): Intervals {
  const { rows, start, bucket, count } = intervals;
  const joined = new IntervalsBuilder(rows);
  let first = 0;
  let sum = 0;
  for (let row = 0; row < rows; row += 1) {
    sum += intervals.sum[row]!;
    if (joins[row] === 1 && row + 1 < rows) continue;
    if (first < row) addJoined(joined, intervals, first, row);
    else for (let at = start[row]!; at < start[row + 1]!; at += 1) joined.add(bucket[at]!, count[at]!);
    joined.close(sum);
    first = row + 1;
    sum = 0;
  }
  return joined.build();
}

/** Adds the observations of the rows from `first` to `last` as one row. */
function addJoined(
  joined: IntervalsBuilder,
  { start, bucket, count }: Intervals,
  first: number,
  last: number,
): void {
  const counts = new Map<number, number>();
  for (let at = start[first]!; at < start[last + 1]!; at += 1)
    counts.set(bucket[at]!, (counts.get(bucket[at]!) ?? 0) + count[at]!);
  for (const [index, total] of [...counts].sort(([a], [b]) => a - b)) joined.add(index, total);
}

/** Clamps each sum to its possible range. */
function clampSums(intervals: Intervals, { min, max }: SumRange): Intervals {
  const sum = intervals.sum.slice();
  for (let row = 0; row < sum.length; row += 1) {
    sum[row] = Math.min(Math.max(sum[row]!, min[row]!), max[row]!);
  }
  return { ...intervals, sum };
}
