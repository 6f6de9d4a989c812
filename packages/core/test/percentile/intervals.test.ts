import { describe, expect, it } from 'vitest';
import { findBucketEdges } from '../../src/percentile/bucketEdges.ts';
import { extractIntervals, type Intervals } from '../../src/percentile/intervals.ts';
import { createWindow, type Scrapes } from './support/windows.ts';

const les = ['1', '2', '+Inf'];

function extract(scrapes: Omit<Scrapes, 'les'>): Intervals {
  const window = createWindow({ les, ...scrapes });
  return extractIntervals(window, findBucketEdges(window));
}

/** Lists [bucket, number of observations] of each row. */
function listRows({ rows, start, bucket, count }: Intervals): [number, number][][] {
  return Array.from({ length: rows }, (_, row) => {
    const entries: [number, number][] = [];
    for (let at = start[row]!; at < start[row + 1]!; at += 1) entries.push([bucket[at]!, count[at]!]);
    return entries;
  });
}

describe('extractIntervals', () => {
  it.each<[string, Omit<Scrapes, 'les'>, [number, number][][], number[]]>([
    [
      'omits intervals without observations',
      {
        sums: [1, 1, 4],
        counts: [1, 1, 3],
        bucket_counts: [
          [1, 1, 1],
          [1, 1, 1],
          [2, 3, 3],
        ],
      },
      [
        [
          [0, 1],
          [1, 1],
        ],
      ],
      [3],
    ],
    [
      'starts from 0 after a reset',
      {
        sums: [8, 9.5, 0.5],
        counts: [4, 5, 1],
        bucket_counts: [
          [2, 4, 4],
          [2, 5, 5],
          [1, 1, 1],
        ],
      },
      [[[1, 1]], [[0, 1]]],
      [1.5, 0.5],
    ],
    [
      'carries over a sum that appears before its observations',
      {
        sums: [0, 0.5, 0.5, 2],
        counts: [0, 0, 1, 2],
        bucket_counts: [
          [0, 0, 0],
          [0, 0, 0],
          [1, 1, 1],
          [1, 2, 2],
        ],
      },
      [[[0, 1]], [[1, 1]]],
      [0.5, 1.5],
    ],
    [
      'adds a late sum to the last interval',
      {
        sums: [0, 0.25, 0.5],
        counts: [0, 1, 1],
        bucket_counts: [
          [0, 0, 0],
          [1, 1, 1],
          [1, 1, 1],
        ],
      },
      [[[0, 1]]],
      [0.5],
    ],
    [
      'carries over a negative bucket increment',
      {
        sums: [0, 0.5, 1],
        counts: [0, 0, 2],
        bucket_counts: [
          [0, 0, 0],
          [1, 0, 0],
          [1, 2, 2],
        ],
      },
      [[[0, 1]], [[1, 1]]],
      [0.5, 0.5],
    ],
  ])('%s', (_, scrapes, rows, sums) => {
    const intervals = extract(scrapes);
    expect(listRows(intervals)).toEqual(rows);
    expect([...intervals.sum]).toEqual(sums);
    expect([...intervals.size]).toEqual(rows.map(row => row.reduce((sum, [, count]) => sum + count, 0)));
  });

  it('adds a +Inf bucket if it is missing', () => {
    const window = createWindow({ les: ['1'], sums: [0, 9], counts: [0, 2], bucket_counts: [[0], [1]] });
    expect(listRows(extractIntervals(window, findBucketEdges(window)))).toEqual([
      [
        [0, 1],
        [1, 1],
      ],
    ]);
  });
});
