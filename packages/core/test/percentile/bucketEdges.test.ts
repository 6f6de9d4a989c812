import { describe, expect, it } from 'vitest';
import { findBucketEdges, hasNegativeObservations } from '../../src/percentile/bucketEdges.ts';
import { createWindow } from './support/windows.ts';

describe('findBucketEdges', () => {
  it.each<[string, string[], number[], number[], number]>([
    ['starts at 0', ['1', '2', '+Inf'], [0, 3], [0, 5], 0],
    ['starts at 0 if the first bound is 0', ['0', '2', '+Inf'], [0, 3], [0, 5], 0],
    [
      'starts at -Infinity if the first bound is negative',
      ['-1', '2', '+Inf'],
      [0, 3],
      [0, 5],
      Number.NEGATIVE_INFINITY,
    ],
    [
      'starts at -Infinity if the sum fell below 0',
      ['1', '2', '+Inf'],
      [5, -3],
      [0, 5],
      Number.NEGATIVE_INFINITY,
    ],
    ['starts at 0 if the sum fell by rounding', ['1', '2', '+Inf'], [5, 5 - 1e-12], [0, 5], 0],
    ['starts at -Infinity if only the sum fell', ['1', '2', '+Inf'], [5, 3], [0, 5], -Infinity],
    ['starts at 0 if the sum fell in a reset', ['1', '2', '+Inf'], [5, 3], [9, 5], 0],
  ])('%s', (_, les, sums, counts, start) => {
    const { lower, upper } = findBucketEdges(
      createWindow({ les, sums, counts, bucket_counts: counts.map(n => [n, n, n]) }),
    );
    expect([...upper]).toEqual([...les.slice(0, -1).map(Number), Number.POSITIVE_INFINITY]);
    expect([...lower]).toEqual([start, ...les.slice(0, -1).map(Number)]);
  });
});

describe('hasNegativeObservations', () => {
  it.each<[string, number[], [number, number][], boolean]>([
    [
      'a bucket below 0 increases',
      [0, 5],
      [
        [0, 0],
        [2, 5],
      ],
      true,
    ],
    [
      'the buckets below 0 stay empty',
      [0, 5],
      [
        [0, 0],
        [0, 5],
      ],
      false,
    ],
    [
      'only observations before the window are below 0',
      [5, 9],
      [
        [3, 4],
        [3, 8],
      ],
      false,
    ],
    [
      'the sum falls',
      [5, 3],
      [
        [0, 0],
        [0, 5],
      ],
      true,
    ],
  ])('if %s', (_, sums, buckets, expected) => {
    const les = ['-1', '+Inf'];
    const counts = buckets.map(([, count]) => count);
    expect(hasNegativeObservations(createWindow({ les, sums, counts, bucket_counts: buckets }))).toBe(
      expected,
    );
  });
});
