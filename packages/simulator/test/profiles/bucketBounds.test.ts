import { expect, test } from 'vitest';
import * as bounds from '../../src/profiles/bucketBounds.ts';

test.each([
  [1, [1]],
  [100, [1, 2, 5, 10, 20, 50, 100]],
  [8192, [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000]],
])('creates 1-2-5 bounds up to %d', (max, expected) => {
  expect(bounds.createOneTwoFiveBounds(max)).toEqual(expected);
});

const lists = Object.entries(bounds).filter((entry): entry is [string, readonly number[]] =>
  Array.isArray(entry[1]),
);

test.each(lists)('%s is in ascending order without duplicates', (_, list) => {
  expect(list.length).toBeGreaterThan(2);
  expect(list).toEqual([...new Set(list)].sort((a, b) => a - b));
});
