import { Layout } from '@org/core';
import { expect, test } from 'vitest';
import { createRestorer, listSlots } from '../../src/open/resetRestorer.ts';

const layout = new Layout();
const counter = layout.scalar({ name: 'c', type: 'counter', help: '' }, []);
const histogram = layout.histogram({ name: 'h', type: 'histogram', help: '' }, []);
layout.bucket(histogram, Number.POSITIVE_INFINITY, '+Inf');

test('lists the slots of a histogram in the order of sum, count and buckets', () => {
  expect(listSlots(counter)).toEqual([counter.value]);
  expect(listSlots(histogram)).toEqual([histogram.sum, histogram.count, histogram.buckets[0]!.slot]);
});

test.each([
  [5n, 2, 102],
  [10n, 3, 3],
  [19n, 8, 8],
  [20n, 9, 1],
  [99n, 10, 2],
])('at %d ns, an increase of %d is restored to %d', (ns, increase, value) => {
  const restore = createRestorer(counter, {
    base: [100],
    offsets: [
      [10n, [100]],
      [20n, [108]],
    ],
  });
  expect(restore(counter.value, ns, increase)).toBe(value);
});

test('restores each column of a histogram', () => {
  const restore = createRestorer(histogram, { base: [7, 5, 5], offsets: [[10n, [9, 6, 6]]] });
  const restoreAll = (ns: bigint): number[] => listSlots(histogram).map(slot => restore(slot, ns, 10));
  expect(restoreAll(9n)).toEqual([17, 15, 15]);
  expect(restoreAll(10n)).toEqual([8, 9, 9]);
});

test('restores the values of a series with very many resets in a short time', () => {
  const resets = 100_000;
  const offsets = Array.from({ length: resets }, (_, i) => [BigInt(2 * i), [i]] as const);
  const restore = createRestorer(counter, { base: [0], offsets });
  let wrong = 0;
  for (let i = 0; i < resets; i++) if (restore(counter.value, BigInt(2 * i + 1), i) !== 0) wrong++;
  expect(wrong).toBe(0);
});
