import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fillMissingBuckets } from '../../src/store/missingBuckets.ts';

const NONE = Number.NaN;

type ColumnStore = readonly (readonly number[])[];

/** Bounds 1, 2, 5 and +Inf; columns by bound, `NONE` where a sample does not have it. */
const CASES: readonly (readonly [
  name: string,
  counts: readonly number[],
  columns: ColumnStore,
  filled: ColumnStore,
])[] = [
  [
    'all are there',
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
    '+Inf is the count',
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
  // A server that leaves out empty buckets: the bound appears with its first observation.
  [
    'a bound that comes late was its lower neighbour',
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
  // A server that comes to show a bound: what is below it was there all along.
  [
    'a bound that comes late gains no more than the next one above',
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
    'the first bound that comes late was 0',
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
    'a bound that vanishes moves as its lower neighbour does',
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
    'two bounds that vanish',
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
    'a bound that vanishes with a restart begins at its lower neighbour',
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
    'a bound that comes after a restart was its lower neighbour before',
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
    'a bound that no sample has',
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
    const given = columns.map(column => Float64Array.from(column));
    const filled = fillMissingBuckets(BOUNDS, Float64Array.from(counts), given);
    expect(filled.map(column => [...column])).toEqual(expected);
    expect(given.map(column => [...column])).toEqual(columns);
  });

  it('never adds observations: counts ascend by bound, and present counts are unchanged', () => {
    const observations = fc.array(fc.array(fc.nat({ max: 4 }), { minLength: 4, maxLength: 4 }), {
      minLength: 1,
      maxLength: 12,
    });
    const missing = fc.array(fc.constantFrom(0, 0, 0, 1, 2, 3, 4, 6), { minLength: 12, maxLength: 12 });
    fc.assert(
      fc.property(observations, missing, (rows, masks) => {
        const totals = [0, 0, 0, 0];
        const whole = rows.map(counts => {
          counts.forEach((count, bucket) => {
            for (let above = bucket; above < 4; above++) totals[above]! += count;
          });
          return [...totals];
        });
        const columns = BOUNDS.map((_, at) =>
          Float64Array.from(whole, (row, sample) => ((masks[sample]! >> at) & 1 ? NONE : row[at]!)),
        );
        const filled = fillMissingBuckets(
          BOUNDS,
          Float64Array.from(whole, row => row[3]!),
          columns,
        );
        whole.forEach((row, sample) => {
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
