import { parseMetricsTarget, type Target, type TargetSource } from '@org/scrape';
import { expect, test } from 'vitest';
import { divideSources } from '../src/shardedSource.ts';

const toTargets = (...urls: readonly string[]): Target[] => urls.map(url => parseMetricsTarget(url));

/** A source that yields these lists. */
function createSource(...lists: readonly (readonly Target[])[]): TargetSource {
  return {
    name: 'list',
    async *watch() {
      yield* lists;
    },
  };
}

/** Returns the URLs of all lists of a shard. */
async function readShard(
  source: TargetSource,
  listed: readonly Target[],
  index: number,
  count: number,
): Promise<string[][]> {
  const [divided] = divideSources([source], listed, { index, count });
  const lists: string[][] = [];
  for await (const targets of divided!.watch(new AbortController().signal, () => {}))
    lists.push(targets.map(({ url }) => url));
  return lists;
}

const URLS = Array.from({ length: 300 }, (_, i) => `http://10.0.0.${i % 250}:${8000 + i}/metrics`);

test('each endpoint belongs to one of three shards, whenever it is found', async () => {
  const source = createSource(toTargets(...URLS.slice(0, 200)), toTargets(...URLS.toReversed()));
  const shards = await Promise.all([0, 1, 2].map(index => readShard(source, [], index, 3)));
  expect(shards.flatMap(([, last]) => last!).sort()).toEqual([...URLS].sort());
  for (const [first, last] of shards) {
    expect(last!.length).toBeGreaterThan(70);
    expect(last).toEqual(expect.arrayContaining(first!));
  }
});

test('a listed endpoint belongs to the shard of its position, with the labels of the source', async () => {
  const listed = toTargets('a:1', 'b:1', 'c:1');
  const source = createSource(toTargets('c:1', 'b:1'));
  expect(await readShard(source, listed, 0, 2)).toEqual([['http://c:1/metrics']]);
  expect(await readShard(source, listed, 1, 2)).toEqual([['http://b:1/metrics']]);
});

test('secrets of a URL and the identity of a process do not change the shard', async () => {
  const shardOf = async (target: Target): Promise<number> =>
    (await readShard(createSource([target]), [], 0, 2))[0]!.length;
  for (const url of URLS.slice(0, 20)) {
    const [first, second] = toTargets(`${url}?token=first`, `${url}?token=second`);
    expect(await shardOf(second!)).toBe(await shardOf(first!));
    expect(await shardOf({ ...first!, identity: 'uid' })).toBe(await shardOf(first!));
  }
});

test('a run that is not divided keeps its sources', () => {
  const source = createSource();
  expect(divideSources([source], [], { index: 0, count: 1 })[0]).toBe(source);
});
