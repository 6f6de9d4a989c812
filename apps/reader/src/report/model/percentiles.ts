import { parseBound } from '@org/formats/read';
import type { ObservationTrace } from '../timeline/trace.ts';

/** Returns the percentile of ascending values, with linear interpolation as in NumPy. Requires at least one value. */
export function computePercentile(ascending: ArrayLike<number>, percent: number): number {
  const position = (percent / 100) * (ascending.length - 1);
  const below = Math.floor(position);
  const [low, high] = [ascending[below]!, ascending[Math.min(below + 1, ascending.length - 1)]!];
  return low + (high - low) * (position - below);
}

/** A percentile of a histogram: an estimate, and the bounds of the bucket that certainly contains it. */
export interface BucketPercentile {
  readonly estimate: number;
  readonly low: number;
  /** Null if the percentile is above the largest bucket. */
  readonly high: number | null;
}

/** Observations of histograms with the same buckets, by bin of a time axis. */
export interface CombinedBuckets {
  /** Upper bounds in ascending order; the last one is infinite. */
  readonly bounds: readonly number[];
  /** Cumulative counts by bound and bin. */
  readonly counts: readonly Float64Array[];
}

/** Adds the buckets of histograms. Returns undefined if their bounds differ or if they have fewer than two buckets. */
export function combineBuckets(traces: readonly ObservationTrace[]): CombinedBuckets | undefined {
  const used = traces.filter(({ buckets }) => buckets.size > 0);
  const [first] = used;
  if (!first) return undefined;
  const texts = [...first.buckets.keys()].sort((a, b) => parseBound(a) - parseBound(b));
  const bounds = texts.map(parseBound);
  const byBound = used.map(
    ({ buckets }) => new Map([...buckets].map(([le, counts]) => [parseBound(le), counts])),
  );
  const isSame = byBound.every(
    counts => counts.size === bounds.length && bounds.every(bound => counts.has(bound)),
  );
  if (!isSame || bounds.length < 2 || bounds.at(-1) !== Number.POSITIVE_INFINITY) return undefined;
  const counts = bounds.map(bound =>
    addCounts(
      byBound.map(each => each.get(bound)!),
      first.counts.length,
    ),
  );
  return { bounds, counts };
}

function addCounts(lists: readonly Float64Array[], bins: number): Float64Array {
  const total = new Float64Array(bins);
  for (const counts of lists) for (let bin = 0; bin < bins; bin++) total[bin]! += counts[bin]!;
  return total;
}

/** Computes a percentile of the observations in one bin; null without observations. */
export function computeBucketPercentile(
  { bounds, counts }: CombinedBuckets,
  bin: number,
  percent: number,
): BucketPercentile | null {
  const total = counts.at(-1)![bin]!;
  if (!(total > 0)) return null;
  // The rank of the observation, as for `computePercentile`; both of its neighbours limit the result.
  const position = (percent / 100) * (total - 1);
  const findBucket = (rank: number): number => {
    const index = counts.findIndex(count => count[bin]! >= rank - 1e-6);
    return index < 0 ? counts.length - 1 : index;
  };
  const [lower, upper] = [
    findBucket(Math.floor(position) + 1),
    findBucket(Math.min(total, Math.floor(position) + 2)),
  ];
  const last = counts.length - 1;
  const low = lower === 0 ? Math.min(0, bounds[0]!) : bounds[lower - 1]!;
  const high = upper === last ? null : bounds[upper]!;
  return { estimate: interpolate({ bounds, counts }, bin, position + 0.5), low, high };
}

/** Returns the value at a rank, with the observations of each bucket spread evenly. */
function interpolate({ bounds, counts }: CombinedBuckets, bin: number, rank: number): number {
  const index = counts.findIndex(count => count[bin]! >= rank);
  const last = bounds.length - 1;
  if (index < 0 || index === last) return bounds[last - 1]!;
  const from = index === 0 ? Math.min(0, bounds[0]!) : bounds[index - 1]!;
  const before = index === 0 ? 0 : counts[index - 1]![bin]!;
  return from + (bounds[index]! - from) * ((rank - before) / (counts[index]![bin]! - before));
}
