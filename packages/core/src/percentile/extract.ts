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
  const intervals = new IntervalsBuilder(Math.max(0, window.counts.length - 1));
  const owed = new Float64Array(cumulative.length);
  let early = 0;
  for (let row = 1; row < window.counts.length; row += 1) {
    // After a reset all that a row says is new.
    const isReset = resets.size > 0 && resets.has(row);
    if (isReset) owed.fill(0);
    const sum = window.sums[row]! - (isReset ? 0 : window.sums[row - 1]!) + early;
    let below = 0;
    for (let bucket = 0; bucket < cumulative.length; bucket += 1) {
      const column = cumulative[bucket]!;
      const upTo = column[row]! - (isReset ? 0 : column[row - 1]!);
      const debt = owed[bucket]!;
      const inside = upTo - below + debt;
      if (inside > 0) intervals.add(bucket, inside);
      if (inside < 0 || debt < 0) owed[bucket] = Math.min(inside, 0);
      below = upTo;
    }
    early = intervals.close(sum) ? 0 : sum;
  }
  intervals.addToLast(early);
  return intervals.build();
}
