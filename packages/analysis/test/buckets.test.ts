import { expect, test } from 'vitest';
import { findBucket, interpolatePercentile, toBucketTable, toBucketTables } from '../src/buckets.ts';

// Objects list integer-like keys first: "1" and "10" precede "0.5".
const table = toBucketTable({ '1': 20, '10': 90, '0.5': 10, '+Inf': 100 })!;

test('orders buckets by their bounds', () => {
  expect(table).toEqual({ bounds: [0.5, 1, 10, Infinity], counts: [10, 20, 90, 100], total: 100 });
});

test('converts the buckets of slices, even if their bounds change', () => {
  const sliceBuckets = [
    { '2': 1, '+Inf': 1 },
    { '2': 2, '+Inf': 3 },
    null,
    { '1': 1, '0.5': 0, '+Inf': 2 },
    { '+Inf': 0 },
  ];
  expect(toBucketTables(sliceBuckets)).toEqual(sliceBuckets.map(buckets => toBucketTable(buckets)));
});

test.each([[null], [undefined], [{}], [{ '1': 0, '+Inf': 0 }]])('returns undefined for %j', buckets => {
  expect(toBucketTable(buckets)).toBeUndefined();
});

test.each<[number, readonly [number, number], number]>([
  [0.05, [0, 0.5], 0.25],
  [0.1, [0, 0.5], 0.5],
  [0.15, [0.5, 1], 0.75],
  [0.55, [1, 10], 5.5],
  [0.99, [10, Infinity], 10],
])('finds the bucket that contains the quantile %d: %j', (quantile, bounds, percentile) => {
  expect(findBucket(table, quantile)).toEqual(bounds);
  expect(interpolatePercentile(table, quantile)).toBeCloseTo(percentile, 9);
});

test('uses a first bound of 0 or less as both edges of the first bucket', () => {
  expect(findBucket(toBucketTable({ '-1': 5, '+Inf': 5 })!, 0.5)).toEqual([-1, -1]);
});
