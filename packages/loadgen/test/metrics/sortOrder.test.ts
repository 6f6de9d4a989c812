import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sortOrder } from '../../src/metrics/sortOrder.ts';

/** The order that a stable comparison sort finds. */
function sortIndices(keys: readonly number[]): number[] {
  return [...keys.keys()].sort((a, b) => keys[a]! - keys[b]!);
}

const CASES: Readonly<Record<string, readonly number[]>> = {
  'no keys': [],
  'one key': [5],
  'equal keys': Array.from({ length: 100 }, () => 7),
  'negative keys': [3, -1, -2.5, 0, 3, -1],
  'keys in reverse order': Array.from({ length: 500 }, (_, index) => -index),
  'most keys close to each other, one far away': [
    ...Array.from({ length: 500 }, (_, index) => (index * 37) % 101),
    1e15,
  ],
};

test.each(Object.entries(CASES))('sorts %s; equal keys stay in order', (_, keys) => {
  expect([...sortOrder(Float64Array.from(keys))]).toEqual(sortIndices(keys));
});

test('sorts any keys', () => {
  const key = fc.oneof(fc.integer({ min: 0, max: 50 }), fc.double({ min: -1e12, max: 1e12, noNaN: true }));
  fc.assert(
    fc.property(fc.array(key, { maxLength: 300 }), keys => {
      expect([...sortOrder(Float64Array.from(keys))]).toEqual(sortIndices(keys));
    }),
  );
});
