import { formatCount, formatShard } from '@org/core';
import { RunInputError } from '@org/record';
import { formatUtc } from '@org/record/view';
import { findDifference } from './shardOptions.ts';
import type { ShardRun } from './shardRun.ts';

/**
 * Checks that shards are the parts of one run, and returns them in order. Throws `RunInputError` if a shard is given twice, a
 * shard is missing, or shards belong to different runs.
 */
export function orderShards(
  given: readonly ShardRun[],
  { allowsMissing }: { readonly allowsMissing: boolean },
): ShardRun[] {
  const shards = [...given].sort((a, b) => a.shard.index - b.shard.index);
  const [first, ...others] = shards;
  if (!first) throw new RunInputError('no shard to merge; expected the folders of the shards of a run');
  for (const other of others) checkSameRun(first, other);
  checkTwice(shards);
  if (!allowsMissing) checkComplete(shards);
  return shards;
}

/** Returns the numbers of the shards that are missing, in order. */
export function listMissing(shards: readonly ShardRun[]): number[] {
  const known = new Set(shards.map(({ shard }) => shard.index));
  const all = Array.from({ length: shards[0]!.shard.count }, (_, index) => index);
  return all.filter(index => !known.has(index));
}

function checkSameRun(first: ShardRun, other: ShardRun): void {
  const names = `${describe(other)} and ${describe(first)}`;
  if (first.shard.count !== other.shard.count)
    throw new RunInputError(`${names} have different numbers of shards; expected the shards of one run`);
  if ((first.profile === undefined) !== (other.profile === undefined))
    throw new RunInputError(`${names} are of different commands, servelens profile and servelens collect`);
  const difference = findDifference(first, other);
  if (difference !== undefined)
    throw new RunInputError(`${names} have different options: ${difference}; expected the shards of one run`);
  checkTimes(first, other, names);
}

/** Throws `RunInputError` if two shards cannot have run at the same time. Their clocks may differ by less than a run. */
function checkTimes(first: ShardRun, other: ShardRun, names: string): void {
  const [planned, otherPlanned] = [first, other].map(run => run.profile?.report.start_at_ns);
  if (planned !== undefined && planned === otherPlanned) return;
  const [earlier, later] = first.startNs <= other.startNs ? [first, other] : [other, first];
  const isApart = planned !== otherPlanned || later.startNs > earlier.endNs;
  if (!isApart) return;
  throw new RunInputError(
    `${names} are of different runs: they started at ${formatUtc(earlier.startNs)} and ${formatUtc(later.startNs)}${
      planned === otherPlanned ? '' : ', with different values of --start-at'
    }`,
  );
}

function checkTwice(shards: readonly ShardRun[]): void {
  shards.forEach((shard, position) => {
    const next = shards[position + 1];
    if (next?.shard.index !== shard.shard.index) return;
    throw new RunInputError(
      shard.benchmarkId === next.benchmarkId
        ? `shard ${formatShard(shard.shard)} is given twice: ${JSON.stringify(shard.folder)} and ${JSON.stringify(next.folder)} contain the same run`
        : `shard ${formatShard(shard.shard)} ran twice: ${JSON.stringify(shard.folder)} and ${JSON.stringify(next.folder)}; give one of them`,
    );
  });
}

function checkComplete(shards: readonly ShardRun[]): void {
  const missing = listMissing(shards);
  if (missing.length === 0) return;
  const { count } = shards[0]!.shard;
  const names = missing.slice(0, 5).map(index => formatShard({ index, count }));
  const more = missing.length > names.length ? ` and ${missing.length - names.length} more` : '';
  throw new RunInputError(
    `${formatCount(missing.length, 'shard')} of ${count} ${missing.length === 1 ? 'is' : 'are'} missing: ${names.join(', ')}${more}; add the ${missing.length === 1 ? 'folder' : 'folders'}, or use --allow-missing to merge the others into an incomplete run`,
  );
}

function describe({ folder, shard }: ShardRun): string {
  return `${JSON.stringify(folder)} (shard ${formatShard(shard)})`;
}
