import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addRestarts,
  computeHistogramIncrease,
  computeIncrease,
  findCounterResets,
  findHistogramResets,
  removeResets,
} from '../../src/period/resets.ts';
import { createWindow, type Scrapes } from '../percentile/support/windows.ts';

const les = ['1', '+Inf'];
const cases: [string, Scrapes, number[], number, number, number[]][] = [
  ['no rows', { les, sums: [], counts: [], bucket_counts: [] }, [], 0, 0, [0, 0]],
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
    [],
    1,
    -1,
    [1, 1],
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

describe('computeHistogramIncrease', () => {
  it.each(cases)('handles %s', (_, scrapes, resets, count, sum, cumulative) => {
    const window = createWindow(scrapes);
    expect(findHistogramResets(window)).toEqual(resets);
    expect(computeHistogramIncrease(window)).toEqual({
      count,
      sum,
      cumulative: Float64Array.from(cumulative),
    });
  });
});

/** Creates a window from rows of [sum, bucket 1, count]; bucket +Inf equals the count. */
function createRows(
  rows: readonly (readonly [number, number, number])[],
): Parameters<typeof findHistogramResets>[0] {
  const column = (at: 0 | 1 | 2): Float64Array => Float64Array.from(rows, row => row[at]);
  return {
    timesNs: Float64Array.from(rows, (_, at) => at),
    sums: column(0),
    counts: column(2),
    bounds: [
      { le: 1, text: '1' },
      { le: Infinity, text: '+Inf' },
    ],
    cumulative: [column(1), column(2)],
  };
}

describe('resets', () => {
  it.each([
    [[], []],
    [[5], []],
    [[1, 1, 2], []],
    [
      [1, 0, 1, 2, 1],
      [1, 4],
    ],
    [[2 ** 53 + 2, 2 ** 53], [1]],
  ])('of the counter %j are at %j', (values, rows) => {
    expect(findCounterResets(Float64Array.from(values))).toEqual(rows);
  });

  it('of a histogram are rows where the count or a bucket falls', () => {
    const falls = createRows([
      [10, 4, 5],
      [8, 4, 6],
      [9, 3, 9],
      [1, 1, 1],
    ]);
    expect(findHistogramResets(falls)).toEqual([2, 3]);
  });

  it.each([
    ['to a value above 0', [5, 3], 1],
    ['to 0', [5, 0], 1],
    ['below 0', [5, -1], 1],
    ['of a negative sum', [-1, -5], 1],
    ['although the lowest bound is 0', [5, 3], 0],
    ['although +Inf is the only bound', [5, 3], Infinity],
  ])('exclude a fall of the sum alone, %s, because observations can be negative', (_name, sums, le) => {
    const template = createRows(sums.map((sum, at) => [sum, at, at] as const));
    const lowest = { le, text: String(le) };
    expect(findHistogramResets({ ...template, bounds: [lowest, template.bounds[1]!] })).toEqual([]);
  });
});

describe('addRestarts', () => {
  const timesNs = Float64Array.from([0, 10, 20, 30]);
  it.each([
    ['no restart', [], [2], [2]],
    ['a restart between two samples, without a fall', [15], [], [2]],
    ['a restart at a sample', [20], [], [2]],
    ['a restart at a row that is already a reset', [20], [2], [2]],
    ['a restart before another reset', [5], [3], [1, 3]],
    ['restarts before the first and after the last sample', [-5, 0, 35], [], []],
  ])('handles %s', (_name, restartsNs, resets, expected) => {
    expect(addRestarts(resets, timesNs, { restartsNs })).toEqual(expected);
  });
});

describe('removeResets', () => {
  it('adds the values before each reset', () => {
    const continuous = removeResets(
      createRows([
        [10, 4, 5],
        [20, 5, 9],
        [3, 1, 2],
        [4, 2, 3],
        [1, 0, 1],
      ]),
      [2, 4],
    );
    expect([...continuous.counts]).toEqual([5, 9, 11, 12, 13]);
    expect([...continuous.sums]).toEqual([10, 20, 23, 24, 25]);
    expect(continuous.cumulative.map(column => [...column])).toEqual([
      [4, 5, 6, 7, 7],
      [5, 9, 11, 12, 13],
    ]);
  });

  it('changes the values by the increase, without a reset', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 50 }), { minLength: 1, maxLength: 30 }), counts => {
        const rows = counts.map(count => [count, 0, count] as const);
        const resets = findCounterResets(Float64Array.from(counts));
        const { counts: continuousCounts } = removeResets(createRows(rows), resets);
        expect(findCounterResets(continuousCounts)).toEqual([]);
        expect(continuousCounts.at(-1)! - continuousCounts[0]!).toBe(
          computeIncrease(Float64Array.from(counts), resets),
        );
      }),
    );
  });
});
