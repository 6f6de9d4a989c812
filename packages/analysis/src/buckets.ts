import { parseBound, sortBounds } from '@org/formats/read';
import type { Buckets } from './run/series.ts';

/** The cumulative buckets of a histogram, ordered by their bounds. */
export interface BucketTable {
  /** Upper bounds, ascending. The last one is +Inf in every well-formed histogram. */
  readonly bounds: readonly number[];
  /** The number of observations at or below each bound. */
  readonly counts: readonly number[];
  /** The number of observations in all buckets. */
  readonly total: number;
}

/** Orders buckets by their bounds. Returns undefined if there are no buckets or no observations. */
export function toBucketTable(buckets: Buckets | null | undefined): BucketTable | undefined {
  return buckets ? toTable(buckets, sortBuckets(buckets)) : undefined;
}

/**
 * Orders the buckets of each timeslice of a series. The slices of a series usually have equal bounds, so bounds
 * are sorted again only if they differ from those of the previous slice. The result is undefined for a slice
 * without observations.
 */
export function toBucketTables(
  bucketsPerSlice: Iterable<Buckets | null | undefined>,
): (BucketTable | undefined)[] {
  let order: BoundOrder | undefined;
  const tables: (BucketTable | undefined)[] = [];
  for (const buckets of bucketsPerSlice) {
    if (buckets && !(order && hasSameBounds(order, buckets))) order = sortBuckets(buckets);
    tables.push(buckets ? toTable(buckets, order!) : undefined);
  }
  return tables;
}

/** Bounds in ascending order, as text and as numbers. */
interface BoundOrder {
  readonly texts: readonly string[];
  readonly bounds: readonly number[];
}

function sortBuckets(buckets: Buckets): BoundOrder {
  const texts = sortBounds(buckets);
  return { texts, bounds: texts.map(parseBound) };
}

function hasSameBounds({ texts }: BoundOrder, buckets: Buckets): boolean {
  return Object.keys(buckets).length === texts.length && texts.every(text => buckets[text] !== undefined);
}

function toTable(buckets: Buckets, { texts, bounds }: BoundOrder): BucketTable | undefined {
  const total = texts.length > 0 ? buckets[texts.at(-1)!]! : 0;
  return total > 0 ? { bounds, counts: texts.map(text => buckets[text]!), total } : undefined;
}

/**
 * Returns the bounds of the bucket that contains a quantile. The first bucket begins at 0 or, if its upper
 * bound is negative, at that bound. `quantile` is between 0 and 1.
 */
export function findBucket(table: BucketTable, quantile: number): readonly [lower: number, upper: number] {
  const rank = quantile * table.total;
  const matchingIndex = table.counts.findIndex(count => count >= rank);
  const index = matchingIndex === -1 ? table.bounds.length - 1 : matchingIndex;
  return [index === 0 ? Math.min(0, table.bounds[0]!) : table.bounds[index - 1]!, table.bounds[index]!];
}

/**
 * Estimates a quantile by linear interpolation within its bucket, as Prometheus' histogram_quantile does. For a
 * quantile in the +Inf bucket, returns the highest finite bound. `quantile` is between 0 and 1.
 */
export function interpolatePercentile(table: BucketTable, quantile: number): number {
  const rank = quantile * table.total;
  const matchingIndex = table.counts.findIndex(count => count >= rank);
  const index = matchingIndex === -1 ? table.bounds.length - 1 : matchingIndex;
  const [lower, upper] = findBucket(table, quantile);
  if (!Number.isFinite(upper)) return lower;
  const countBelow = index === 0 ? 0 : table.counts[index - 1]!;
  const countInBucket = table.counts[index]! - countBelow;
  return countInBucket > 0 ? lower + (upper - lower) * ((rank - countBelow) / countInBucket) : upper;
}
