/**
 * One of several processes that execute a run together, without communication. Item k of the run (a session, an arrival, a
 * request number, a concurrency slot or an endpoint) belongs to the shard with index k modulo `count`.
 */
export interface Shard {
  /** Number of the shard, from 0. */
  readonly index: number;
  /** Number of shards. */
  readonly count: number;
}

/** The only shard of a run that is not divided. */
export const WHOLE_RUN: Shard = { index: 0, count: 1 };

/** Maximum number of shards of a run. */
export const MAX_SHARDS = 10_000;

/** Reports whether the index and the count of a shard are valid. */
export function isShard({ index, count }: Shard): boolean {
  const isInteger = Number.isInteger(index) && Number.isInteger(count);
  return isInteger && index >= 0 && index < count && count <= MAX_SHARDS;
}

/** Reports whether other processes execute the other parts of a run. */
export function isPartOfRun(shard: Shard | undefined): boolean {
  return shard !== undefined && shard.count > 1;
}

/** Formats a shard like the option that selects it, such as `0/3`. */
export function formatShard({ index, count }: Shard): string {
  return `${index}/${count}`;
}

/** Parses a shard such as `0/3`. Returns undefined for any other text. */
export function parseShard(text: string): Shard | undefined {
  const [, index, count] = /^(\d{1,5})\/(\d{1,5})$/.exec(text) ?? [];
  const shard = { index: Number(index), count: Number(count) };
  return isShard(shard) ? shard : undefined;
}

/** Returns how many of the items from 0 to `total` - 1 belong to a shard; infinity if `total` is infinite. */
export function countShare(total: number, { index, count }: Shard): number {
  return Number.isFinite(total) ? Math.max(0, Math.ceil((total - index) / count)) : total;
}

/** Converts the position of an item among the items of a shard to its number in the whole run. */
export function toRunNumber(position: number, { index, count }: Shard): number {
  return index + count * position;
}

/** Returns the items of a list that belong to a shard. */
export function selectShare<T>(items: readonly T[], { index, count }: Shard): T[] {
  return items.filter((_, position) => position % count === index);
}
