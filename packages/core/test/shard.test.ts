import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  countShare,
  formatShard,
  isPartOfRun,
  parseShard,
  type Shard,
  selectShare,
  toRunNumber,
} from '../src/shard.ts';

const listShards = (count: number): Shard[] =>
  Array.from({ length: count }, (_, index) => ({ index, count }));

const listNumbers = (total: number): number[] => Array.from({ length: total }, (_, number) => number);

test('any number of shards divides items and lists exactly', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 0, max: 2000 }), (count, total) => {
      const shards = listShards(count);
      const numbers = shards.flatMap(shard =>
        listNumbers(countShare(total, shard)).map(position => toRunNumber(position, shard)),
      );
      const items = shards.flatMap(shard => selectShare(listNumbers(total), shard));
      expect(numbers.sort((a, b) => a - b)).toEqual(listNumbers(total));
      expect(items.sort((a, b) => a - b)).toEqual(listNumbers(total));
    }),
  );
});

test('shares differ by at most one item', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 0, max: 2000 }), (count, total) => {
      const shares = listShards(count).map(shard => countShare(total, shard));
      expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
    }),
  );
});

test('keeps an infinite total infinite', () => {
  expect(countShare(Number.POSITIVE_INFINITY, { index: 2, count: 3 })).toBe(Number.POSITIVE_INFINITY);
});

test.each(['0/1', '0/3', '2/3', '9999/10000'])('parses and formats the shard %s', text => {
  expect(formatShard(parseShard(text)!)).toBe(text);
});

test.each(['3/3', '1/0', '0/10001', '-1/3', '1', '1/2/3', '0.5/2', ' 0/1', ''])(
  'rejects the shard %j',
  text => {
    expect(parseShard(text)).toBeUndefined();
  },
);

test.each([
  [undefined, false],
  [{ index: 0, count: 1 }, false],
  [{ index: 0, count: 2 }, true],
])('reports whether %o is a part of a run', (shard, expected) => {
  expect(isPartOfRun(shard)).toBe(expected);
});
