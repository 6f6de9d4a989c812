import type { BucketEdges } from './edges.ts';
import type { HistogramWindow } from './estimator.ts';
import { type Intervals, IntervalsBuilder } from './intervals.ts';

/**
 * Cuts a window into its scrape intervals. Those without observations are left out.
 *
 * A scrape may show its parts at slightly different instants: a bucket that seems to have lost an observation to its
 * neighbour owes it to the next interval, and a sum that came before its observations waits for them.
 */
export function extractIntervals(window: HistogramWindow, edges: BucketEdges): Intervals {
  const { cumulative, resets } = edges;
  const intervals = new IntervalsBuilder();
  const owed = new Float64Array(cumulative.length);
  let early = 0;
  for (let row = 1; row < window.counts.length; row += 1) {
    const since = resets.has(row) ? null : row - 1;
    if (since === null) owed.fill(0);
    const sum = increaseAt(window.sums, row, since) + early;
    let below = 0;
    for (let bucket = 0; bucket < cumulative.length; bucket += 1) {
      const upTo = increaseAt(cumulative[bucket]!, row, since);
      const inside = upTo - below + owed[bucket]!;
      if (inside > 0) intervals.add(bucket, inside);
      owed[bucket] = Math.min(inside, 0);
      below = upTo;
    }
    early = intervals.close(sum) ? 0 : sum;
  }
  intervals.addToLast(early);
  return intervals.build();
}

/** After a reset all that a row says is new. */
function increaseAt(column: Float64Array, row: number, since: number | null): number {
  return since === null ? column[row]! : column[row]! - column[since]!;
}
