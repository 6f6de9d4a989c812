import { describe, expect, it } from 'vitest';
import { increaseOf, resetRows } from '../../src/percentile/increase.ts';
import { type Scrapes, windowOf } from './window.ts';

const les = ['1', '+Inf'];
const cases: [string, Scrapes, number[], number, number, number[]][] = [
  ['nothing', { les, sums: [], counts: [], bucket_counts: [] }, [], 0, 0, [0, 0]],
  ['one row', { les, sums: [3], counts: [2], bucket_counts: [[1, 2]] }, [], 0, 0, [0, 0]],
  [
    'no reset',
    {
      les,
      sums: [3, 5, 6],
      counts: [2, 3, 4],
      bucket_counts: [
        [1, 2],
        [1, 3],
        [2, 4],
      ],
    },
    [],
    2,
    3,
    [1, 2],
  ],
  [
    'a fall of the count',
    {
      les,
      sums: [3, 5, 1],
      counts: [2, 3, 1],
      bucket_counts: [
        [1, 2],
        [1, 3],
        [1, 1],
      ],
    },
    [2],
    2,
    3,
    [1, 2],
  ],
  [
    'a fall of one bucket',
    {
      les,
      sums: [9, 8],
      counts: [5, 6],
      bucket_counts: [
        [4, 5],
        [2, 6],
      ],
    },
    [1],
    6,
    8,
    [2, 6],
  ],
  [
    'a fall of the sum alone',
    {
      les,
      sums: [9, 8],
      counts: [5, 6],
      bucket_counts: [
        [4, 5],
        [5, 6],
      ],
    },
    [1],
    6,
    8,
    [5, 6],
  ],
  [
    'a fall of the sum by negative observations',
    {
      les,
      sums: [1, -1],
      counts: [5, 6],
      bucket_counts: [
        [4, 5],
        [5, 6],
      ],
    },
    [],
    1,
    -2,
    [1, 1],
  ],
  [
    'two resets',
    {
      les,
      sums: [4, 2, 1],
      counts: [4, 2, 1],
      bucket_counts: [
        [4, 4],
        [2, 2],
        [1, 1],
      ],
    },
    [1, 2],
    3,
    3,
    [3, 3],
  ],
];

describe('increaseOf', () => {
  it.each(cases)('%s', (_, scrapes, resets, count, sum, cumulative) => {
    const window = windowOf(scrapes);
    expect(resetRows(window)).toEqual(resets);
    expect(increaseOf(window)).toEqual({ count, sum, cumulative: Float64Array.from(cumulative) });
  });
});
