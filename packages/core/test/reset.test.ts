import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { counterResets, histogramResets, increaseAcross, withoutResets } from '../src/reset.ts';

/** Rows of [sum, bucket 1, count]; the count is the bucket +Inf as well. */
function window(rows: readonly (readonly [number, number, number])[]): Parameters<typeof histogramResets>[0] {
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
    expect(counterResets(Float64Array.from(values))).toEqual(rows);
  });

  it('of a histogram are where its count or a bucket falls, not where its sum does', () => {
    const falls = window([
      [10, 4, 5],
      [8, 4, 6],
      [9, 3, 9],
      [1, 1, 1],
    ]);
    expect(histogramResets(falls)).toEqual([2, 3]);
  });
});

describe('a window without its resets', () => {
  it('goes on counting', () => {
    const whole = withoutResets(
      window([
        [10, 4, 5],
        [20, 5, 9],
        [3, 1, 2],
        [4, 2, 3],
        [1, 0, 1],
      ]),
      [2, 4],
    );
    expect([...whole.counts]).toEqual([5, 9, 11, 12, 13]);
    expect([...whole.sums]).toEqual([10, 20, 23, 24, 25]);
    expect(whole.cumulative.map(column => [...column])).toEqual([
      [4, 5, 6, 7, 7],
      [5, 9, 11, 12, 13],
    ]);
  });

  it('ends where the increase says', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 50 }), { minLength: 1, maxLength: 30 }), counts => {
        const rows = counts.map(count => [count, 0, count] as const);
        const resets = counterResets(Float64Array.from(counts));
        const { counts: lifted } = withoutResets(window(rows), resets);
        expect(counterResets(lifted)).toEqual([]);
        expect(lifted.at(-1)! - lifted[0]!).toBe(increaseAcross(Float64Array.from(counts), resets));
      }),
    );
  });
});
