import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fillMissingBuckets } from '../../src/store/missingBuckets.ts';

const NONE = Number.NaN;

type Columns = readonly (readonly number[])[];

/** Bounds 1, 2, 5 and +Inf; columns by bound, `NONE` where missing. */
const CASES: readonly (readonly [
  name: string,
  counts: readonly number[],
  columns: Columns,
  filled: Columns,
])[] = [
  [
    'keeps complete buckets',
    [4, 5],
    [
      [1, 1],
      [2, 2],
      [3, 3],
      [4, 5],
    ],
    [
      [1, 1],
      [2, 2],
      [3, 3],
      [4, 5],
    ],
  ],
  [
    'fills +Inf with the count',
    [4, 5],
    [
      [1, 1],
      [2, 2],
      [3, 3],
      [NONE, 5],
    ],
    [
      [1, 1],
      [2, 2],
      [3, 3],
      [4, 5],
    ],
  ],
  // A server that omits empty buckets: a bound appears with its first observation.
  [
    'fills a late bound with the bound below',
    [10, 10, 11],
    [
      [4, 4, 4],
      [NONE, NONE, 5],
      [8, 8, 9],
      [10, 10, 11],
    ],
    [
      [4, 4, 4],
      [4, 4, 5],
      [8, 8, 9],
      [10, 10, 11],
    ],
  ],
  // A server that exposes a bound late: observations below it existed before.
  [
    'limits the increase of a late bound to the increase of the next bound above',
    [10, 11, 12],
    [
      [4, 4, 4],
      [NONE, NONE, 7],
      [8, 8, 9],
      [10, 11, 12],
    ],
    [
      [4, 4, 4],
      [6, 6, 7],
      [8, 8, 9],
      [10, 11, 12],
    ],
  ],
  [
    'fills a late first bound with 0',
    [9, 9],
    [
      [NONE, 1],
      [2, 3],
      [3, 4],
      [9, 10],
    ],
    [
      [0, 1],
      [2, 3],
      [3, 4],
      [9, 10],
    ],
  ],
  [
    'increases the count of a disappeared bound like the count of the bound below',
    [10, 12, 14],
    [
      [4, 5, 6],
      [6, NONE, NONE],
      [8, 10, 11],
      [10, 12, 14],
    ],
    [
      [4, 5, 6],
      [6, 7, 8],
      [8, 10, 11],
      [10, 12, 14],
    ],
  ],
  [
    'fills two disappeared bounds',
    [10, 12, 14],
    [
      [4, 5, 6],
      [6, NONE, 9],
      [8, NONE, 12],
      [10, 12, 14],
    ],
    [
      [4, 5, 6],
      [6, 7, 9],
      [8, 9, 12],
      [10, 12, 14],
    ],
  ],
  [
    'starts a bound that disappears at a reset from the bound below',
    [10, 2, 3],
    [
      [4, 1, 2],
      [6, NONE, NONE],
      [8, 2, 3],
      [10, 2, 3],
    ],
    [
      [4, 1, 2],
      [6, 1, 2],
      [8, 2, 3],
      [10, 2, 3],
    ],
  ],
  [
    'fills a bound that appears after a reset with the bound below',
    [10, 2],
    [
      [4, 1],
      [NONE, 2],
      [8, 2],
      [10, 2],
    ],
    [
      [4, 1],
      [4, 2],
      [8, 2],
      [10, 2],
    ],
  ],
  [
    'fills a bound that every sample lacks',
    [4, 5],
    [
      [1, 2],
      [NONE, NONE],
      [3, 4],
      [4, 5],
    ],
    [
      [1, 2],
      [1, 2],
      [3, 4],
      [4, 5],
    ],
  ],
];

const BOUNDS = [1, 2, 5, Infinity].map(le => ({ le, text: String(le) }));

describe('fillMissingBuckets', () => {
  it.each(CASES)('%s', (_name, counts, columns, expected) => {
    const input = columns.map(column => Float64Array.from(column));
    const filled = fillMissingBuckets(BOUNDS, Float64Array.from(counts), input);
    expect(filled.map(column => [...column])).toEqual(expected);
    expect(input.map(column => [...column])).toEqual(columns);
  });

  it('never adds observations: counts ascend by bound, and present counts are unchanged', () => {
    const observations = fc.array(fc.array(fc.nat({ max: 4 }), { minLength: 4, maxLength: 4 }), {
      minLength: 1,
      maxLength: 12,
    });
    const missing = fc.array(fc.constantFrom(0, 0, 0, 1, 2, 3, 4, 6), { minLength: 12, maxLength: 12 });
    fc.assert(
      fc.property(observations, missing, (rows, missingMasks) => {
        const totals = [0, 0, 0, 0];
        const complete = rows.map(counts => {
          counts.forEach((count, bucket) => {
            for (let above = bucket; above < 4; above++) totals[above]! += count;
          });
          return [...totals];
        });
        const columns = BOUNDS.map((_, at) =>
          Float64Array.from(complete, (row, sample) => ((missingMasks[sample]! >> at) & 1 ? NONE : row[at]!)),
        );
        const filled = fillMissingBuckets(
          BOUNDS,
          Float64Array.from(complete, row => row[3]!),
          columns,
        );
        complete.forEach((row, sample) => {
          let lower = 0;
          filled.forEach((column, at) => {
            const value = column[sample]!;
            if (!Number.isNaN(columns[at]![sample]!)) expect(value).toBe(row[at]);
            expect(value).toBeGreaterThanOrEqual(lower);
            expect(value).toBeLessThanOrEqual(row[3]!);
            lower = value;
          });
        });
        for (const column of filled) expect([...column]).toEqual([...column].sort((a, b) => a - b));
      }),
      { numRuns: 500 },
    );
  });
});
