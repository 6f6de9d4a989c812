import { createHash } from 'node:crypto';
import type { Shard } from '@org/core';
import type { Target, TargetSource } from '@org/scrape';

/**
 * Returns the part of each source that belongs to a shard. Each found endpoint belongs to exactly one shard, whenever it is found:
 * an endpoint of the list of the run belongs to the shard of its position in the list, all others to the shard of the hash of
 * their URL. A process that is replaced at the same URL stays in the same shard.
 *
 * @param listed the listed endpoints of all shards
 */
export function divideSources(
  sources: readonly TargetSource[],
  listed: readonly Target[],
  shard: Shard,
): TargetSource[] {
  if (shard.count === 1) return [...sources];
  const positions = new Map(listed.map((target, position) => [getFetchUrl(target), position]));
  const isOwn = (target: Target): boolean => {
    const position = positions.get(getFetchUrl(target)) ?? hashUrl(target.url);
    return position % shard.count === shard.index;
  };
  return sources.map(source => new ShardedSource(source, isOwn));
}

/** A source with the endpoints of one shard. */
class ShardedSource implements TargetSource {
  readonly name: string;
  readonly #source: TargetSource;
  readonly #isOwn: (target: Target) => boolean;

  constructor(source: TargetSource, isOwn: (target: Target) => boolean) {
    this.name = source.name;
    this.#source = source;
    this.#isOwn = isOwn;
  }

  async *watch(signal: AbortSignal, onProblem: (message: string) => void): AsyncGenerator<readonly Target[]> {
    for await (const targets of this.#source.watch(signal, onProblem)) yield targets.filter(this.#isOwn);
  }
}

/** Returns an integer that depends only on the URL. Secrets of the URL are redacted, because they may differ between machines. */
function hashUrl(url: string): number {
  return createHash('sha256').update(url).digest().readUInt32BE();
}

function getFetchUrl({ url, fetchUrl = url }: Target): string {
  return fetchUrl;
}
