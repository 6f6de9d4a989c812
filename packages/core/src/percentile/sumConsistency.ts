import type { BucketEdges } from './bucketEdges.ts';
import type { HistogramWindow } from './estimator.ts';
import { type Intervals, IntervalsBuilder } from './intervals.ts';

/** Neighbours are joined in at most this many passes; what is still out of step after them keeps its nearest sum. */
const PASSES = 4;

/** Relative rounding error of a running sum of many observations. */
const ROUNDING = 1e-11;

/** Differences of a window's sums that are no larger than this may be rounding. */
export function sumTolerance({ sums }: HistogramWindow): number {
  let most = 0;
  for (let row = 0; row < sums.length; row += 1) most = Math.max(most, Math.abs(sums[row]!));
  return ROUNDING * most;
}

/** By row: the smallest and the largest sum that its observations can have. */
export interface SumRange {
  readonly least: Float64Array;
  readonly most: Float64Array;
}

/** How many intervals have a sum that cannot be that of their observations. */
export function outOfStep({ rows, sum }: Intervals, range: SumRange, tolerance: number): number {
  let found = 0;
  for (let row = 0; row < rows; row += 1) if (misfit(range, row, sum[row]!, tolerance) !== 0) found += 1;
  return found;
}

/**
 * Joins intervals that are out of step with a neighbour. Servers do not always show count, sum and buckets of one
 * instant: an observation may be counted in one scrape and summed up in the next one.
 *
 * @param range that of the intervals
 */
export function inStep(
  intervals: Intervals,
  range: SumRange,
  edges: BucketEdges,
  tolerance: number,
): Intervals {
  let joined = intervals;
  let joinedRange = range;
  for (let pass = 0; pass < PASSES; pass += 1) {
    const joins = joinsOf(joined, joinedRange, tolerance);
    if (joins === null) break;
    joined = join(joined, joins);
    joinedRange = sumRange(joined, edges);
  }
  return clamped(joined, joinedRange);
}

/** What the sums of intervals can be. */
export function sumRange({ rows, start, bucket, count }: Intervals, { lower, upper }: BucketEdges): SumRange {
  const least = new Float64Array(rows);
  const most = new Float64Array(rows);
  for (let row = 0; row < rows; row += 1) {
    let from = 0;
    let to = 0;
    for (let at = start[row]!; at < start[row + 1]!; at += 1) {
      from += count[at]! * lower[bucket[at]!]!;
      to += count[at]! * upper[bucket[at]!]!;
    }
    least[row] = from;
    most[row] = to;
  }
  return { least, most };
}

/** -1 for a sum that is too small, 1 for one that is too large, else 0. */
function misfit(range: SumRange, row: number, sum: number, tolerance: number): number {
  if (sum < range.least[row]! - tolerance) return -1;
  return sum > range.most[row]! + tolerance ? 1 : 0;
}

/** By row, whether it is to be joined with the next one; null when all sums fit. */
function joinsOf(intervals: Intervals, range: SumRange, tolerance: number): Uint8Array | null {
  const { rows, sum } = intervals;
  const joins = new Uint8Array(rows);
  let found = false;
  for (let row = 0; row < rows; row += 1) {
    const sign = misfit(range, row, sum[row]!, tolerance);
    if (sign === 0 || rows < 2) continue;
    found = true;
    const before = excess(range, row - 1, sum) * sign;
    const after = excess(range, row + 1, sum) * sign;
    // The neighbour that lacks most of what this one has too much of, or the other way round.
    joins[Number.isNaN(after) || before < after ? row - 1 : row] = 1;
  }
  return found ? joins : null;
}

/** Where a sum lies in its range: 0 at the smallest, 1 at the largest one, 0.5 where that cannot be said. */
function excess({ least, most }: SumRange, row: number, sum: Float64Array): number {
  if (row < 0 || row >= sum.length) return Number.NaN;
  const place = (sum[row]! - least[row]!) / (most[row]! - least[row]!);
  return (Number.isFinite(place) ? place : 0.5) - 0.5;
}

function join(intervals: Intervals, joins: Uint8Array): Intervals {
  const joined = new IntervalsBuilder(intervals.rows);
  let counts = new Map<number, number>();
  let sum = 0;
  for (let row = 0; row < intervals.rows; row += 1) {
    for (let at = intervals.start[row]!; at < intervals.start[row + 1]!; at += 1) {
      const bucket = intervals.bucket[at]!;
      counts.set(bucket, (counts.get(bucket) ?? 0) + intervals.count[at]!);
    }
    sum += intervals.sum[row]!;
    if (joins[row] === 1 && row + 1 < intervals.rows) continue;
    for (const [bucket, count] of [...counts].sort(([a], [b]) => a - b)) joined.add(bucket, count);
    joined.close(sum);
    counts = new Map();
    sum = 0;
  }
  return joined.build();
}

function clamped(intervals: Intervals, { least, most }: SumRange): Intervals {
  const sum = intervals.sum.slice();
  for (let row = 0; row < sum.length; row += 1) {
    sum[row] = Math.min(Math.max(sum[row]!, least[row]!), most[row]!);
  }
  return { ...intervals, sum };
}
