import type { Shard } from '@org/loadgen';

/** Formats a shard like the option that selects it, such as `0/3`. */
export function formatShard({ index, count }: Shard): string {
  return `${index}/${count}`;
}

/** Reports whether other processes send the other parts of a load. */
export function isPartOfLoad(shard: Shard | undefined): boolean {
  return shard !== undefined && shard.count > 1;
}

/** Returns the items of a list that belong to a shard: item k belongs to the shard with index k modulo the count. */
export function selectShare<T>(items: readonly T[], { index, count }: Shard): T[] {
  return items.filter((_, position) => position % count === index);
}
