import { describe, expect, it } from 'vitest';
import { computeSummaryStatistics, readLastQuantiles } from '../../src/statistics/summary.ts';
import { createSummaryStore } from '../support/stores.ts';

function createSamples(rows: readonly (readonly number[])[]): Parameters<typeof computeSummaryStatistics>[0] {
  const { store, series } = createSummaryStore([0.99, 0.5], rows);
  return store.summarySamples(series);
}

describe('a summary', () => {
  it.each([
    [
      'with observations',
      [
        [0, 10, 5, 1, 1],
        [2, 40, 15, 1, 1],
      ],
      { count: 10, sum: 30, avg: 3, count_rate: 5, sum_rate: 15 },
    ],
    ['without observations', [[0, 10, 5, 1, 1]], { count: 0 }],
    [
      'with a reset',
      [
        [0, 10, 5, 1, 1],
        [1, 4, 2, 1, 1],
      ],
      { count: 0, sum: 0, count_rate: 0, sum_rate: 0, resets: 1, increase: { count: 2, sum: 4, avg: 2 } },
    ],
  ])('has the expected statistics %s', (_name, rows, expected) => {
    expect(computeSummaryStatistics(createSamples(rows))).toEqual(expected);
  });

  it('returns the finite quantiles of the last sample', () => {
    const samples = createSamples([
      [0, 10, 5, 0.9, 0.4],
      [1, 20, 6, Number.NaN, 0.5],
    ]);
    expect(readLastQuantiles(samples)).toEqual([['0.5', 0.5]]);
  });
});
