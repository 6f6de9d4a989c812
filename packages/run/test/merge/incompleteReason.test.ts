import { expect, test } from 'vitest';
import { findIncompleteReason } from '../../src/merge/incompleteReason.ts';
import type { ShardRun } from '../../src/merge/shardRun.ts';

/** Creates shards of a run of `count` shards. */
function createShards(
  count: number,
  indexes: readonly number[],
  cancelled: readonly number[] = [],
): ShardRun[] {
  return indexes.map(
    index => ({ shard: { index, count }, wasCancelled: cancelled.includes(index) }) as unknown as ShardRun,
  );
}

test.each([
  ['all requests are covered', createShards(2, [0, 1]), 0, undefined],
  ['a shard is missing', createShards(3, [0, 2]), 0, '1 shard of 3 is missing.'],
  ['several shards are missing', createShards(3, [1]), 0, '2 shards of 3 are missing.'],
  [
    'shards were cancelled',
    createShards(3, [0, 1, 2], [0, 2]),
    0,
    'Shard 0/3, 2/3 was cancelled or killed before all of its requests ended.',
  ],
  ['lines cannot be read', createShards(1, [0]), 2, '2 lines of the requests files could not be read.'],
  ['a shard is missing and lines cannot be read', createShards(2, [0]), 2, '1 shard of 2 is missing.'],
])('returns the reason if %s', (_, shards, dropped, expected) => {
  expect(findIncompleteReason(shards, dropped)).toBe(expected);
});
