import type { RunSlice } from '../run/series.ts';
import type { TimeRange } from './rule.ts';

/** Returns the time from the first to the last slice that matches; undefined if none does. */
export function findRange(
  slices: readonly RunSlice[],
  matches: (slice: RunSlice) => boolean,
): TimeRange | undefined {
  const [first, last] = [slices.find(matches), slices.findLast(matches)];
  return first && last && { startNs: first.start_ns, endNs: last.end_ns };
}
