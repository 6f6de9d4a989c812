import { sortBounds } from '@org/formats/read';
import type { Buckets } from './run/series.ts';

/** The cumulative buckets of a histogram, ordered by their bounds. */
export interface BucketTable {
  /** Upper bounds, ascending. The last one is +Inf in every well-formed histogram. */
  readonly bounds: readonly number[];
  /** The number of observations at or below each bound. */
  readonly counts: readonly number[];
  readonly total: number;
}

/** Orders buckets by their bounds. Returns undefined if there are no buckets or no observations. */
export function toBucketTable(buckets: Buckets | null | undefined): BucketTable | undefined {
  return buckets ? toTable(buckets, sortBuckets(buckets)) : undefined;
}

/** Converts the buckets of a series' slices. Their bounds are nearly always equal, so they are sorted only once. */
export function toBucketTables(all: Iterable<Buckets | null | undefined>): (BucketTable | undefined)[] {
  let order: Order | undefined;
  const tables: (BucketTable | undefined)[] = [];
  for (const buckets of all) {
    if (buckets && !(order && hasSameBounds(order, buckets))) order = sortBuckets(buckets);
    tables.push(buckets ? toTable(buckets, order!) : undefined);
  }
  return tables;
}

/** Bounds in ascending order, as text and as numbers. */
interface Order {
  readonly texts: readonly string[];
  readonly bounds: readonly number[];
}

function sortBuckets(buckets: Buckets): Order {
  const texts = sortBounds(buckets);
  return { texts, bounds: texts.map(parseBound) };
}

function hasSameBounds({ texts }: Order, buckets: Buckets): boolean {
  return Object.keys(buckets).length === texts.length && texts.every(text => buckets[text] !== undefined);
}

function toTable(buckets: Buckets, { texts, bounds }: Order): BucketTable | undefined {
  const total = texts.length > 0 ? buckets[texts.at(-1)!]! : 0;
  return total > 0 ? { bounds, counts: texts.map(text => buckets[text]!), total } : undefined;
}

const INFINITY = /^\+?inf(inity)?$/i;
const bounds = new Map<string, number>();

/** Parses a bound; infinity is printed as +Inf. The same few bounds occur in every series, so they are cached. */
export function parseBound(text: string): number {
  let bound = bounds.get(text);
  if (bound === undefined) {
    bound = INFINITY.test(text) ? Number.POSITIVE_INFINITY : Number(text);
    if (bounds.size < 4096) bounds.set(text, bound);
  }
  return bound;
}

/** Returns the bounds of the bucket that holds the observation of a rank, given as a fraction of all observations. */
export function findBucket(table: BucketTable, share: number): readonly [lower: number, upper: number] {
  const rank = share * table.total;
  const found = table.counts.findIndex(count => count >= rank);
  const at = found === -1 ? table.bounds.length - 1 : found;
  return [at === 0 ? Math.min(0, table.bounds[0]!) : table.bounds[at - 1]!, table.bounds[at]!];
}

/**
 * Estimates a percentile by assuming that observations are spread evenly within their bucket, as Prometheus'
 * histogram_quantile does. In the last bucket, returns the highest finite bound.
 */
export function interpolatePercentile(table: BucketTable, share: number): number {
  const rank = share * table.total;
  const found = table.counts.findIndex(count => count >= rank);
  const at = found === -1 ? table.bounds.length - 1 : found;
  const [lower, upper] = findBucket(table, share);
  if (!Number.isFinite(upper)) return lower;
  const before = at === 0 ? 0 : table.counts[at - 1]!;
  const inside = table.counts[at]! - before;
  return inside > 0 ? lower + (upper - lower) * ((rank - before) / inside) : upper;
}
