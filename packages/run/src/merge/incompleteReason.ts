import { formatCount, formatShard } from '@org/core';
import type { ShardRun } from './shardRun.ts';
import { listMissing } from './shardSet.ts';

/**
 * Returns why the metrics of a merged run do not cover all of its requests, as a sentence; undefined if they do. `dropped` is the
 * number of lines of the requests files that could not be read.
 */
export function findIncompleteReason(shards: readonly ShardRun[], dropped: number): string | undefined {
  const missing = listMissing(shards);
  const { count } = shards[0]!.shard;
  if (missing.length > 0)
    return `${formatCount(missing.length, 'shard')} of ${count} ${missing.length === 1 ? 'is' : 'are'} missing.`;
  const cancelled = shards.filter(({ wasCancelled }) => wasCancelled);
  if (cancelled.length > 0)
    return `Shard ${cancelled.map(({ shard }) => formatShard(shard)).join(', ')} was cancelled or killed before all of its requests ended.`;
  return dropped > 0 ? `${formatCount(dropped, 'line')} of the requests files could not be read.` : undefined;
}
