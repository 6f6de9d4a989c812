import { sortBounds } from '@org/formats/read';
import type { Buckets } from './run/series.ts';

/** Cumulative buckets in the order of their bounds. */
export interface BucketTable {
  /** Ascending; the last is +Inf in every histogram that follows the format. */
  readonly bounds: readonly number[];
  /** How many observations were at or below each bound. */
  readonly counts: readonly number[];
  readonly total: number;
}

/** Orders buckets by their bounds; undefined without observations or buckets. */
export function toBucketTable(buckets: Buckets | null | undefined): BucketTable | undefined {
  return buckets ? tableOf(buckets, orderOf(buckets)) : undefined;
}

/** Tables of the slices of one series, whose bounds are the same nearly always: they are ordered once. */
export function toBucketTables(all: Iterable<Buckets | null | undefined>): (BucketTable | undefined)[] {
  let order: Order | undefined;
  const tables: (BucketTable | undefined)[] = [];
  for (const buckets of all) {
    if (buckets && !(order && fits(order, buckets))) order = orderOf(buckets);
    tables.push(buckets ? tableOf(buckets, order!) : undefined);
  }
  return tables;
}

/** Bounds in ascending order, as printed and as numbers. */
interface Order {
  readonly texts: readonly string[];
  readonly bounds: readonly number[];
}

function orderOf(buckets: Buckets): Order {
  const texts = sortBounds(buckets);
  return { texts, bounds: texts.map(parseBound) };
}

function fits({ texts }: Order, buckets: Buckets): boolean {
  return Object.keys(buckets).length === texts.length && texts.every(text => buckets[text] !== undefined);
}

function tableOf(buckets: Buckets, { texts, bounds }: Order): BucketTable | undefined {
  const total = texts.length > 0 ? buckets[texts.at(-1)!]! : 0;
  return total > 0 ? { bounds, counts: texts.map(text => buckets[text]!), total } : undefined;
}

const INFINITY = /^\+?inf(inity)?$/i;
const bounds = new Map<string, number>();

/** A bound as a number: servers print infinity as +Inf. The same few come in every series, so they are remembered. */
export function parseBound(text: string): number {
  let bound = bounds.get(text);
  if (bound === undefined) {
    bound = INFINITY.test(text) ? Number.POSITIVE_INFINITY : Number(text);
    if (bounds.size < 4096) bounds.set(text, bound);
  }
  return bound;
}

/** Between which bounds the observation of this rank (a share of all) lies. */
export function findBucket(table: BucketTable, share: number): readonly [lower: number, upper: number] {
  const rank = share * table.total;
  const found = table.counts.findIndex(count => count >= rank);
  const at = found === -1 ? table.bounds.length - 1 : found;
  return [at === 0 ? Math.min(0, table.bounds[0]!) : table.bounds[at - 1]!, table.bounds[at]!];
}

/**
 * A percentile that supposes observations to lie evenly within their bucket, as Prometheus' histogram_quantile; one in
 * the last bucket is the highest finite bound.
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
