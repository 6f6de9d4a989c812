import type { BucketEdges } from '../edges.ts';
import type { HistogramWindow } from '../estimator.ts';
import { type Intervals, IntervalsBuilder } from './intervals.ts';

/** Cuts a window into its scrape intervals. Those without observations are left out. */
export function extractIntervals(window: HistogramWindow, edges: BucketEdges): Intervals {
  const { cumulative, resets } = edges;
  const intervals = new IntervalsBuilder();
  // A sum that was scraped before its observations were counted belongs to the interval that counts them.
  let early = 0;
  for (let row = 1; row < window.counts.length; row += 1) {
    const since = resets.has(row) ? null : row - 1;
    const sum = increaseAt(window.sums, row, since) + early;
    let below = 0;
    for (let bucket = 0; bucket < cumulative.length; bucket += 1) {
      const upTo = increaseAt(cumulative[bucket]!, row, since);
      if (upTo <= below) continue;
      intervals.add(bucket, upTo - below);
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
